import type { Spec } from '../spec/index.js';
import type { Base, HeaderLine } from './parts/index.js';

/** As many base URLs as one server is reasonably known by; a client that invents more only makes the server write them again. */
const keptBases = 32;

const authority = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?$/;

/** The base URLs under which clients know the server: by the Host they ask for, or by the one fixed public URL. */
export class Bases {
  readonly #spec: Spec;
  readonly #basePath: string;
  readonly #fixed: Base | undefined;
  readonly #byHost = new Map<string, Base>();
  #own: Base;

  constructor(spec: Spec, basePath: string, publicUrl: string | undefined) {
    this.#spec = spec;
    this.#basePath = basePath;
    this.#fixed = publicUrl === undefined ? undefined : this.#make(publicUrl);
    this.#own = this.#make(`http://localhost${basePath}`);
  }

  /** Where the server listens: the base URL of requests that name no usable host. */
  listensAt(origin: string): void {
    this.#own = this.#make(`${origin}${this.#basePath}`);
  }

  get own(): Base {
    return this.#fixed ?? this.#own;
  }

  of(host: string | undefined): Base {
    if (this.#fixed !== undefined) return this.#fixed;
    if (host === undefined) return this.#own;
    const known = this.#byHost.get(host);
    if (known !== undefined) return known;
    if (!authority.test(host)) return this.#own;
    if (this.#byHost.size >= keptBases) this.#byHost.clear();
    const base = this.#make(`http://${host}${this.#basePath}`);
    this.#byHost.set(host, base);
    return base;
  }

  #make(url: string): Base {
    const { headers, mediaType, link, allowOrigin } = this.#spec.protocol;
    const exposed = [headers.nonce, headers.token, headers.authenticate, headers.link, headers.date];
    const common: readonly HeaderLine[] = [
      [headers.contentType, mediaType],
      [headers.link, `<${url}${link.path}>; rel="${link.relation}"`],
      [headers.allowOrigin, allowOrigin],
      ['Access-Control-Expose-Headers', exposed.join(', ')],
    ];
    const fields = Object.fromEntries(common.map(([name, value]) => [name.toLowerCase(), value]));
    return { url, common: [...common, ['Cache-Control', 'no-store']], fields, written: new Map(), protocol: this.#spec.protocol };
  }
}
