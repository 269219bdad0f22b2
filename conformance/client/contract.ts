/** One request that a client is asked to make. */
export interface ReadRequest {
  readonly url: string;
  /** GET where it is not given. */
  readonly method?: string;
  /** Sent in UTF-8. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a client says of a request: the final status, or why there is none. */
export type Said =
  | { readonly status: number }
  /** refused: the credentials are not accepted; gave-up: the tokens are not; unsupported: the client cannot do such a thing. */
  | { readonly error: 'refused' | 'gave-up' | 'network' | 'unsupported' };

/** The service that a client is to use, and as whom. */
export interface ClientService {
  /** The base URL, without a slash at the end. */
  readonly url: string;
  readonly user: number;
  readonly paraphrase: string;
  /** Stands for what the client would print. */
  print(text: string): void;
}

/** A client as a function: called once a scenario, so that it begins without token and nonce. */
export type Connect = (service: ClientService) => { read(request: ReadRequest): Promise<Said> };
