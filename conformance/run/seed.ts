/** A seed of its own for every law, so that a law repeats alone what it did in the whole run (FNV-1a). */
export function seedOf(seed: number, id: string): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  return hash | 0;
}
