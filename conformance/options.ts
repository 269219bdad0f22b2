import { allow, type OptionCheck, type OptionChecks, type Spec } from '../spec/index.js';
import { type Option, optionsIn, optionTable, type Place } from './option-table.js';
import type { HeaderLine } from './wire/index.js';

export interface User {
  /** Decimal digits, as given. */
  readonly id: string;
  readonly paraphrase: string;
}

type Table = typeof optionTable;
type Form<Name extends keyof Table> = Table[Name][0];

export const defaultRuns = optionTable.runs[0].default;

/** What an option of this form holds. */
type ValueOf<Of> = Of extends { readonly many: true }
  ? readonly string[]
  : Of extends { readonly whole: unknown }
    ? number
    : Of extends { readonly allowed: readonly (infer Allowed)[] }
      ? Allowed
      : Of extends { readonly value: string }
        ? string
        : boolean;

/** The name in JavaScript of an option of this form, if it has one in these places. */
type KeyIn<Of, In extends Place> = Of extends { readonly key: infer Key extends string; readonly in: readonly (infer Each)[] }
  ? [Extract<In, Each>] extends [never]
    ? never
    : Key
  : never;

/** The same of those that always hold something: lists, flags, and what has a default. */
type SureKeyIn<Of, In extends Place> = 'value' extends keyof Of
  ? Of extends { readonly many: true } | { readonly default: unknown }
    ? KeyIn<Of, In>
    : never
  : KeyIn<Of, In>;

/** The options of these places, as a caller of the library writes them. */
export type OptionsIn<In extends Place> = { readonly [Name in keyof Table as KeyIn<Form<Name>, In>]?: ValueOf<Form<Name>> };

/** The same with every default. */
export type SettledIn<In extends Place> = Omit<OptionsIn<In>, keyof SureIn<In>> & SureIn<In>;
type SureIn<In extends Place> = { readonly [Name in keyof Table as SureKeyIn<Form<Name>, In>]: ValueOf<Form<Name>> };

/** Puts the defaults of the table for what is not given. */
export function settled<In extends Place>(given: OptionsIn<In>, ...places: In[]): SettledIn<In> {
  const values = keyed(places).map(({ key, value, many, default: otherwise }) => {
    const fallback = otherwise ?? (many ? [] : value === undefined ? false : undefined);
    return [key, (given as Record<string, unknown>)[key] ?? fallback] as const;
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as SettledIn<In>;
}

/** The checks of the options of these places. `others` are of those that are not in the table, or take more in JavaScript than there. */
export function checksIn<Options, In extends Place>(
  places: readonly In[],
  others: OptionChecks<Omit<Options, keyof OptionsIn<In>>> & Partial<OptionChecks<Options>>,
): OptionChecks<Options> {
  return { ...Object.fromEntries(keyed(places).map((option) => [option.key, checkOf(option)])), ...others } as OptionChecks<Options>;
}

function keyed(places: readonly Place[]): (Option & { readonly key: string })[] {
  return places.flatMap(optionsIn).filter((option): option is Option & { readonly key: string } => option.key !== undefined);
}

function checkOf({ value, many, whole, allowed }: Option): OptionCheck {
  if (value === undefined) return allow.trueOrFalse;
  if (many) return allow.listOf('a list of texts', allow.text('a text'));
  if (whole !== undefined) return allow.whole(...whole);
  return allowed === undefined ? allow.text('a text') : allow.oneOf(...allowed);
}

type Interpreted = 'baseUrl' | 'collections' | 'users' | 'engine' | 'strength' | 'seed' | 'budget' | 'headers' | 'baseline' | 'spec';

/** The options of a run, validated. */
export interface RunOptions extends Omit<SettledIn<'check' | 'runConformance'>, Interpreted> {
  readonly spec: Spec;
  /** Without a slash at the end. */
  readonly baseUrl: URL;
  readonly collections: readonly [string, ...string[]];
  readonly users: readonly User[];
  readonly engines: readonly ('laws' | 'postman')[];
  /** Of an engine that was asked for and is not installed, as a sentence. */
  readonly notRun?: string;
  /** How many circumstances of a request are combined in every way. */
  readonly strength: 2 | 3;
  readonly seed: number;
  /** The most that a run may send, or take. */
  readonly budget?: Budget;
  /** Lines that every request carries. */
  readonly headers: readonly HeaderLine[];
  readonly baseline: readonly BaselineEntry[];
}

export interface Budget {
  readonly amount: number;
  readonly unit: 'requests' | 'seconds';
}

export interface BaselineEntry {
  readonly requirement: string;
  readonly reason: string;
  /** The digest of the profile under which the failure was accepted; any where it is missing. */
  readonly profile?: string;
  /** Who mends it. */
  readonly owner?: string;
  /** The last day on which the failure is accepted, such as 2030-12-31. */
  readonly until?: string;
}
