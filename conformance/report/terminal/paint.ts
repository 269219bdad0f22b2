import type { Outcome } from '../report.js';

const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] } as const;

export type Paint = (style: keyof typeof codes, text: string) => string;

export function painter(colour: boolean): Paint {
  return (style, text) => {
    const [on, off] = codes[style];
    return colour && text !== '' ? `\x1b[${on}m${text}\x1b[${off}m` : text;
  };
}

export const outcomeStyle: Readonly<Record<Outcome, keyof typeof codes>> = {
  pass: 'green',
  fail: 'red',
  warn: 'yellow',
  untested: 'dim',
  'known-failure': 'yellow',
};
