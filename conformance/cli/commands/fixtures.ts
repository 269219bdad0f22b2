import { CallError, type Command, command } from '../command.js';
import { asStarted } from '../io.js';
import { columns } from '../text.js';

/** A command that lists the faults or the variants of the reference server. */
function listing(kind: 'faults' | 'variants', summary: string, example: string): Command {
  const single = kind.slice(0, -1);
  return command({
    name: kind,
    summary,
    positionals: [
      {
        name: 'WORD',
        text: 'Only those whose id or description has a word that begins with this, or which are about this requirement.',
        optional: true,
      },
    ],
    examples: [[`hydrauth ${kind} ${example}`, `Those about ${example}.`]],
    exitCodes: { 0: 'Listed.', 2: 'The call is wrong, or nothing has such a word.' },
    async run({ positionals: [word = ''] }, io) {
      const fixtures = await import('../../../fixtures/index.js');
      const all = fixtures[kind].map((each) => {
        const about = 'violates' in each ? each.violates : each.warns;
        return [each.id, about.length === 0 ? each.sentence : `${each.sentence} (${about.join(', ')})`] as const;
      });
      const wanted = new RegExp(`(?<![a-z0-9])${word.replace(/[^a-z0-9 ]/gi, '\\$&')}`, 'i');
      const found = all.filter((row) => word === '' || wanted.test(row.join('\n')));
      if (found.length === 0)
        throw new CallError(`no ${single} has a word that begins with ${JSON.stringify(word)}; hydrauth ${kind} lists all ${all.length}`);
      const lines = columns(found, io.width).join('\n');
      io.out(asStarted(`${lines}\n${found.length} of ${all.length}; hydrauth demo --${single} ID shows the report of one.\n`, io));
      return 0;
    },
  });
}

export const faults = listing('faults', 'List the ways in which the reference server can be broken.', 'nonce');
export const variants = listing('variants', 'List the ways in which a conformant server can differ.', 'router');
