import type { Base, HeaderLine } from './parts/index.js';
import type { AuthSettings } from './plugin/options.js';

/** As many base URLs as one server is reasonably known by; a client that invents more only makes the server write them again. */
const keptBases = 32;

const authority = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?$/;

export type Bases = ReturnType<typeof makeBases>;

/** The base URLs under which clients know the server: by the Host they ask for, or by the one fixed public URL. */
export function makeBases({ spec: { protocol }, basePath, publicUrl }: Pick<AuthSettings, 'spec' | 'basePath' | 'publicUrl'>) {
  const make = (url: string): Base => {
    const { headers, mediaType, link, fixed } = protocol;
    const exposed = [headers.nonce, headers.token, headers.authenticate, headers.link, headers.date];
    const common: readonly HeaderLine[] = [
      [headers.contentType, mediaType],
      [headers.link, `<${url}${link.path}>; rel="${link.relation}"`],
      ...Object.values(fixed).map(({ name, value }): HeaderLine => [name, value]),
      ['Access-Control-Expose-Headers', exposed.join(', ')],
    ];
    const fields = Object.fromEntries(common.map(([name, value]) => [name.toLowerCase(), value]));
    return { url, common: [...common, ['Cache-Control', 'no-store']], fields, written: new Map(), protocol };
  };
  const byHost = new Map<string, Base>();
  let own = make(publicUrl ?? `http://localhost${basePath}`);
  return {
    /** Where the server listens: the base URL of requests that name no usable host. */
    listensAt(origin: string): void {
      if (publicUrl === undefined) own = make(`${origin}${basePath}`);
    },
    own: () => own,
    of(host: string | undefined): Base {
      if (publicUrl !== undefined || host === undefined) return own;
      const known = byHost.get(host);
      if (known !== undefined) return known;
      if (!authority.test(host)) return own;
      if (byHost.size >= keptBases) byHost.clear();
      const base = make(`http://${host}${basePath}`);
      byHost.set(host, base);
      return base;
    },
  };
}
