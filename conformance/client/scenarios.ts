import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { packageFile } from '../../spec/index.js';
import type { ReadRequest } from './contract.js';
import type { Place, ServiceState } from './stage/index.js';

/** One request that the client is asked to make. */
export interface Ask extends Omit<ReadRequest, 'url'> {
  readonly at: Place;
}

/** A state of the service, what the client is asked, and the rows that this shows something of: data, and nothing else. */
export interface Scenario {
  readonly id: string;
  /** What is given, as a sentence. */
  readonly given: string;
  readonly service: ServiceState;
  /** What the client is asked in turn; what stands in one step is asked at once. */
  readonly steps: readonly (readonly Ask[])[];
  /** The rows that it is made for: those that it judges or observes by itself, and those of all traffic that it exercises. */
  readonly rows: readonly string[];
  /** The row that tells wrong credentials here, in place of the usual one. */
  readonly credentialsRow?: string;
  /** Rows judged on all traffic that this scenario makes no sense for. */
  readonly leavesOut?: readonly string[];
  /** Rows without which it shows nothing: where one of them fails, what it judges itself is untested. */
  readonly buildsOn?: readonly string[];
}

type Step = Place | 'post';

/** What scenarios.yaml holds. */
interface Written {
  readonly scenarios: readonly (Omit<Scenario, 'service' | 'steps'> & {
    readonly service?: ServiceState;
    readonly steps?: readonly (Step | readonly Step[])[];
  })[];
  readonly services: readonly (readonly string[])[];
}

const post: Ask = {
  at: 'first',
  method: 'POST',
  body: JSON.stringify({ name: 'Bücher & «Blätter»', note: 'x'.repeat(3000) }),
  headers: { 'Content-Type': 'application/json', 'X-Purpose': 'inventory' },
};

const written: Written = parse(readFileSync(packageFile('conformance', 'client', 'scenarios.yaml'), 'utf8'));

const serviceOf = (id: string, variants: readonly string[]): Scenario => ({
  id,
  given: `The service is ${variants.length === 1 ? 'the variant' : 'at once the variants'} ${variants.join(', ')}.`,
  service: { variants, usualCollections: true },
  steps: [[{ at: 'first' }], [{ at: 'second' }], [{ at: 'vocabulary' }]],
  rows: ['client.other-services'],
  leavesOut: ['client.token-reused', 'client.token-sent'],
});

/** Every scenario, the plain one first. */
export const scenarios: readonly Scenario[] = [
  ...written.scenarios.map(({ service = {}, steps = ['first'], ...rest }): Scenario => {
    const asks = steps.map((step) => [step].flat().map((each): Ask => (each === 'post' ? post : { at: each as Place })));
    return { ...rest, service, steps: asks };
  }),
  ...written.services.map((variants, index) => serviceOf(`services-${index + 1}`, variants)),
];

/** The same of each variant of a group alone; nothing of any other scenario. */
export function alone({ service: { variants = [] } }: Scenario): Scenario[] {
  return variants.length > 1 ? variants.map((variant) => serviceOf(`service-${variant}`, [variant])) : [];
}
