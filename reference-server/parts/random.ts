import { randomFillSync } from 'node:crypto';

const poolOctets = 4096;

/** Random octets, drawn from the system in batches; each octet is handed out once and wiped. */
export function randomPool(): (octets: number) => Buffer {
  const pool = Buffer.alloc(poolOctets);
  let used = poolOctets;
  return (octets) => {
    if (used + octets > poolOctets) {
      randomFillSync(pool);
      used = 0;
    }
    const drawn = Buffer.from(pool.subarray(used, used + octets));
    pool.fill(0, used, used + octets);
    used += octets;
    return drawn;
  };
}
