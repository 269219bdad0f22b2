import { CallError, type Command } from '../command.js';
import { columns } from '../text.js';

type Kind = 'faults' | 'variants';

/** A command that lists the faults or the variants of the reference server. */
function listing(kind: Kind, summary: string, example: string): Command {
  return {
    name: kind,
    summary,
    positionals: [{ name: 'WORD', text: 'Only those with this word in their id or sentence, or about this requirement.', optional: true }],
    options: [],
    examples: [{ line: `hydrauth ${kind} ${example}`, text: `Those about ${example}.` }],
    exitCodes: [
      { code: 0, text: 'Listed.' },
      { code: 2, text: 'The call is wrong, or nothing has the word.' },
    ],
    async run({ positionals: [word = ''] }, io) {
      const all = rowsOf(kind, await import('../../../fixtures/index.js'));
      const found = all.filter((row) => `${row.id}\n${row.sentence}\n${row.about.join('\n')}`.toLowerCase().includes(word.toLowerCase()));
      if (found.length === 0)
        throw new CallError(`no ${kind.slice(0, -1)} has ${JSON.stringify(word)} in it; hydrauth ${kind} lists all ${all.length}`);
      const rows = found.map(
        ({ id, sentence, about }) => [id, about.length === 0 ? sentence : `${sentence} (${about.join(', ')})`] as const,
      );
      io.out(
        `${columns(rows, io.width).join('\n')}\n${found.length} of ${all.length}; hydrauth demo --${kind.slice(0, -1)} ID shows what is told of one.\n`,
      );
      return 0;
    },
  };
}

function rowsOf(kind: Kind, { faults, variants }: typeof import('../../../fixtures/index.js')) {
  return kind === 'faults'
    ? faults.map(({ id, sentence, violates }) => ({ id, sentence, about: violates }))
    : variants.map(({ id, sentence, warns }) => ({ id, sentence, about: warns }));
}

export const faults = listing('faults', 'List the ways in which the reference server can be broken.', 'nonce');
export const variants = listing('variants', 'List the ways in which a conformant server can differ.', 'router');
