import { type OpenPoint, type Requirement, spec } from '../../spec/index.js';
import { type Args, CallError, type Run } from './command.js';
import { didYouMean } from './nearest.js';
import { catalogueTable } from './requirements-table.js';

export const run: Run = async (args, io) => {
  const { version, sources } = spec.catalogue;
  const rows = chosen(args);
  if (args.flag('json')) {
    const cited = new Set(rows.flatMap((row) => row.source));
    io.out(`${JSON.stringify({ version, sources: sources.filter(({ point }) => cited.has(point)), requirements: rows }, null, 2)}\n`);
  } else {
    io.out(catalogueTable(rows, io));
  }
  return 0;
};

function chosen(args: Args): readonly (Requirement | OpenPoint)[] {
  const { rows } = spec.catalogue;
  const ids = rows.map(({ id }) => id);
  for (const id of args.texts('id')) {
    if (!ids.includes(id)) throw new CallError(`there is no requirement ${id}.${didYouMean(id, ids)}`);
  }
  const among = (name: string, value: string) => !args.given(name) || args.texts(name).includes(value);
  return rows.filter((row) => among('level', row.level) && among('step', row.step) && among('id', row.id));
}
