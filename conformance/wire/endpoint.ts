import { X509Certificate } from 'node:crypto';
import { connect, isIP, type Socket } from 'node:net';
import { createSecureContext, type SecureContext, connect as secureConnect } from 'node:tls';

/** Where the target listens, and how to open a connection to it. */
export interface Endpoint {
  /** Host and port as they stand in the URL, for the Host header and for messages. */
  readonly host: string;
  readonly secure: boolean;
  open(): Socket;
}

interface EndpointOptions {
  readonly baseUrl: URL;
  readonly ca?: string;
  readonly insecure?: boolean;
}

export function createEndpoint({ baseUrl, ca, insecure = false }: EndpointOptions): Endpoint {
  if (baseUrl.protocol !== 'http:' && baseUrl.protocol !== 'https:') {
    throw new TypeError(`baseUrl: an http or https URL is expected, not ${baseUrl.protocol}`);
  }
  const secure = baseUrl.protocol === 'https:';
  const host = baseUrl.hostname.replace(/^\[|\]$/g, '');
  const port = baseUrl.port === '' ? (secure ? 443 : 80) : Number(baseUrl.port);
  const secureContext = secure ? trust(ca) : undefined;
  // A connection that goes on with the session of one before needs a round trip less. Who that was is not looked at again.
  let session: Buffer | undefined;
  const openSecure = () => {
    const socket = secureConnect({
      host,
      port,
      ...(secureContext && { secureContext }),
      ...(session && { session }),
      ...(isIP(host) === 0 && { servername: host }),
      rejectUnauthorized: !insecure,
      ALPNProtocols: ['http/1.1'],
    });
    // The certificate was found good by then; TLS 1.3 gives its sessions later.
    return socket.once('secureConnect', () => {
      session = socket.getSession();
      socket.on('session', (given) => {
        session = given;
      });
    });
  };
  const open = (): Socket => (secure ? openSecure() : connect({ host, port })).setNoDelay(true);
  return { host: baseUrl.host, secure, open };
}

/** One context for all connections: reading the certificates again for each would be slow. */
function trust(ca: string | undefined): SecureContext {
  if (ca === undefined) return createSecureContext({});
  const certificates = ca.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
  try {
    // OpenSSL passes over what it cannot read; a wrong file would then show as a target that does not verify.
    for (const each of certificates) new X509Certificate(each);
    if (certificates.length > 0) return createSecureContext({ ca: certificates });
  } catch {}
  throw new TypeError('ca: certificates in PEM text are expected');
}
