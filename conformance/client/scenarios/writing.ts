import { spec } from '../../../spec/index.js';
import type { Answer } from '../../wire/index.js';
import { isChallenge, withBody } from '../stage/index.js';
import { understands } from './opinions.js';
import type { Scenario } from './scenario.js';

const { headers, mediaType } = spec.protocol;

function written(id: string, row: string, given: string, service: Scenario['service']): Scenario {
  return { id, given, service, steps: [{ at: 'first' }], leavesOut: ['client.token-sent'], judges: { [row]: understands } };
}

const named = (as: (name: string) => string) => (answer: Answer) => ({
  ...answer,
  headers: answer.headers.map(([name, value]): Answer['headers'][number] => [as(name), value]),
});

/** Of these two headers alone: a blank in a length, say, is nothing that every server may write. */
const spaced = new Set([headers.nonce, headers.token].map((name) => name.toLowerCase()));

const withBlanks = (answer: Answer): Answer => ({
  ...answer,
  headers: answer.headers.map(([name, value]) => [name, spaced.has(name.toLowerCase()) ? `  ${value} \t ` : value]),
});

const onChallenge = (change: (answer: Answer) => Answer) => (answer: Answer) => (isChallenge(answer) ? change(answer) : answer);

const page = '<!doctype html><title>Login</title><form action="/login"></form>';

const asPage = (answer: Answer): Answer => ({
  ...withBody(answer, page),
  headers: withBody(answer, page).headers.map(([name, value]) => [name, value.startsWith(mediaType) ? 'text/html' : value]),
});

const withMembers = (answer: Answer) => {
  const text = answer.body.toString('utf8');
  return text.startsWith('{') ? withBody(answer, text.replace(/^\{/, '{"next": null, "more": [{"a": {"b": "c"}}], ')) : answer;
};

/** The same answers, written otherwise. */
export const writingScenarios: readonly Scenario[] = [
  written('names-in-lower-case', 'client.header-names', 'Header names are written in lower case.', {
    variants: ['header-names-in-lower-case'],
  }),
  written('names-in-capitals', 'client.header-names', 'Header names are written in capitals.', {
    change: named((name) => name.toUpperCase()),
  }),
  written('blanks-around-values', 'client.header-blanks', 'There are blanks and tabs around nonce and token.', { change: withBlanks }),
  written('challenge-without-body', 'client.challenge-body', 'The challenge has no body.', {
    change: onChallenge((answer) => withBody(answer, '')),
  }),
  written('challenge-as-page', 'client.challenge-body', 'The body of the challenge is an HTML page.', { change: onChallenge(asPage) }),
  ...['realm-after-other-schemes', 'realm-in-another-line', 'scheme-in-lower-case', 'realm-with-charset'].map((variant) =>
    written(variant, 'client.challenge-schemes', `The service is the variant ${variant}.`, { variants: [variant] }),
  ),
  written('unknown-parts', 'client.unknown-parts', 'Answers have headers and members that nobody knows.', {
    variants: ['more-headers'],
    change: withMembers,
  }),
];
