import type { Transform } from 'node:stream';
import zlib, { type Zlib } from 'node:zlib';

type Unpacking = Transform & Zlib;
type Create = (options?: object) => Unpacking;

const unpackers = ['createGunzip', 'createInflate', 'createInflateRaw', 'createUnzip', 'createBrotliDecompress'] as const;

/** Limits what bodies unpack to, in this whole process: Newman sets no limit, and a few octets on the wire can become gigabytes. */
export function boundUnpacking(maxBytes: number): void {
  const bounded = (create: Create): Create => {
    return (options) => {
      const stream = create(options);
      const push = stream.push.bind(stream);
      let size = 0;
      stream.push = (chunk: Buffer | null) => {
        size += chunk?.length ?? 0;
        if (size <= maxBytes) return push(chunk);
        stream.destroy(Object.assign(new Error(`it unpacks to more than ${maxBytes} octets`), { code: 'HYDRAUTH_UNPACKED' }));
        return false;
      };
      return stream;
    };
  };
  // The members of zlib cannot be assigned, but they can be defined anew.
  for (const name of unpackers) {
    Object.defineProperty(zlib, name, { value: bounded(zlib[name] as unknown as Create), enumerable: true, configurable: true });
  }
}
