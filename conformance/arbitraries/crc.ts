const polynomial = 0xedb88320;
const table = Array.from({ length: 256 }, (_, octet) => {
  let crc = octet;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1;
  return crc >>> 0;
});

/** The four octets that lead from one CRC-32 to another. */
export function crcSuffix(from: number, to: number): number[] {
  // Backwards from the end: each step is the one entry of the table whose highest octet fits.
  let target = (to ^ 0xffffffff) >>> 0;
  const steps: number[] = [];
  for (let step = 0; step < 4; step += 1) {
    const index = table.findIndex((entry) => entry >>> 24 === target >>> 24);
    steps.unshift(index);
    target = ((target ^ (table[index] as number)) << 8) >>> 0;
  }
  let crc = (from ^ 0xffffffff) >>> 0;
  return steps.map((index) => {
    const octet = (crc & 0xff) ^ index;
    crc = (table[index] as number) ^ (crc >>> 8);
    return octet & 0xff;
  });
}
