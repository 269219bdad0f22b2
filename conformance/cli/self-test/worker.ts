import { examineRow } from '../../self-test/index.js';
import type { Order } from './crew.js';
import { specimens } from './specimens.js';

const all = specimens();

/** One specimen after another, as they are handed out. */
process.on('message', ({ id, measure, depth }: Order) => {
  const specimen = all.find((each) => each.id === id);
  if (specimen === undefined) throw new Error(`there is no specimen ${id}`);
  void examineRow(specimen, measure, depth).then((row) => process.send?.(row));
});
process.on('disconnect', () => process.exit());
