import type { Row } from './row.js';

/** What a run said of one specimen, as a golden file keeps it: one a line. */
interface Golden {
  readonly id: string;
  readonly seed: number;
  /** Rows that failed or were warned of. */
  readonly failed: readonly string[];
  readonly untested: readonly string[];
}

export function goldenText(rows: readonly Row[], seed: number): string {
  return rows.map((row) => `${JSON.stringify(goldenOf(row, seed))}\n`).join('');
}

/** What is different from a golden file, one sentence each. Specimens that were not judged now are left alone. */
export function goldenDifferences(text: string, rows: readonly Row[], seed: number): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const before = new Map(lines.map((line) => JSON.parse(line) as Golden).map((golden) => [golden.id, golden]));
  return rows.flatMap((row) => {
    const [was, is] = [before.get(row.id), goldenOf(row, seed)];
    if (was === undefined) return [`${row.id}: not in the golden file`];
    if (was.seed !== seed) return [`${row.id}: the golden file has seed ${was.seed}, this run seed ${seed}`];
    return (['failed', 'untested'] as const).flatMap((member) => {
      const more = is[member].filter((id) => !was[member].includes(id)).map((id) => `now ${member}: ${id}`);
      const less = was[member].filter((id) => !is[member].includes(id)).map((id) => `no longer ${member}: ${id}`);
      return [...more, ...less].map((difference) => `${row.id}: ${difference}`);
    });
  });
}

function goldenOf({ id, examination }: Row, seed: number): Golden {
  const failed = Object.keys(examination?.found ?? {}).sort();
  return { id, seed, failed, untested: [...(examination?.untested ?? [])].sort() };
}
