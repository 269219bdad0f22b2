import { type Catalogue, spec } from '../../spec/index.js';
import type { Matrix } from './matrix.js';
import type { Row } from './row.js';

const cell = 6;
const line = 13;
const left = 250;
const top = 64;
const colours = { both: '#1a7f5a', laws: '#2f6fb3', postman: '#b8860b', missed: '#c62f2f', alarm: '#000000' } as const;

type Requirement = Catalogue['requirements'][number];

/** Faults from left to right, requirements from top to bottom; a mark where a fault violates a requirement, coloured by who found it. */
export function matrixPicture({ rows, counts }: Pick<Matrix, 'rows' | 'counts'>): string {
  const faults = rows.filter((row) => row.kind === 'fault');
  const requirements = spec.catalogue.requirements.filter((row) => row.engines.length > 0);
  const width = left + faults.length * cell + 12;
  const height = top + requirements.length * line + 12;
  const marks = faults.flatMap((fault, column) => requirements.flatMap((requirement, at) => mark(fault, column, requirement, at)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="10" role="img" aria-label="Faults against requirements">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<text x="12" y="20" font-size="14" font-weight="600">${counts.faults} faults against ${requirements.length} requirements</text>`,
    ...legend(),
    ...requirements.map((requirement, at) => label(requirement, at, width)),
    ...marks,
    '</svg>',
    '',
  ].join('\n');
}

function legend(): string[] {
  const words = {
    both: 'found by both engines',
    laws: 'found by laws',
    postman: 'found by Postman',
    missed: 'missed',
    alarm: 'accused wrongly',
  };
  return Object.entries(words).map(
    ([name, text], index) =>
      `<rect x="${12 + index * 150}" y="34" width="10" height="10" fill="${colours[name as keyof typeof colours]}"/><text x="${28 + index * 150}" y="43">${text}</text>`,
  );
}

function label({ id, level }: Requirement, at: number, width: number): string {
  const y = top + at * line;
  const stripe = at % 2 === 0 ? `<rect x="0" y="${y}" width="${width}" height="${line}" fill="#f3f4f6"/>` : '';
  return `${stripe}<text x="12" y="${y + 10}" fill="${level === 'MUST' ? '#111111' : '#6b7280'}">${id}</text>`;
}

function mark(fault: Row, column: number, { id }: Requirement, at: number): string[] {
  const colour = colourOf(fault, id);
  if (colour === undefined) return [];
  const place = `x="${left + column * cell}" y="${top + at * line + 2}" width="${cell - 1}" height="${line - 4}"`;
  return [`<rect ${place} fill="${colour}"><title>${escaped(`${fault.id}: ${fault.sentence} (${id})`)}</title></rect>`];
}

function colourOf({ expected, examination, alarms }: Row, requirement: string): string | undefined {
  if (alarms.some((alarm) => alarm.requirement === requirement)) return colours.alarm;
  if (!expected.includes(requirement)) return undefined;
  const by = examination?.found[requirement];
  if (by === undefined) return colours.missed;
  return by.laws === undefined ? colours.postman : by.postman === undefined ? colours.laws : colours.both;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`);
}
