import { expect, test } from 'vitest';
import { type HydraClientOptions, hydraClient } from '../index.js';

const right = { baseUrl: 'http://localhost:8080/api', user: 1, paraphrase: 'secret' };

test.each([
  [{ baseUrl: 'people' }, 'baseUrl: "people" is not allowed; an http or https URL without user name, query and fragment is'],
  [{ baseUrl: 'http://1:secret@localhost/' }, 'baseUrl'],
  [{ baseUrl: undefined }, 'baseUrl: missing'],
  [{ user: 'anna' }, 'user: "anna" is not allowed; an integer is'],
  [{ user: undefined }, 'user: missing'],
  [{ paraphrase: '' }, 'paraphrase: a text that is not empty is needed'],
  [{ paraphrase: 4711 }, 'paraphrase: a text that is not empty is needed'],
  [{ fetch: 1 }, 'fetch: 1 is not allowed'],
  [{ spec: 'profile.yaml' }, 'spec: "profile.yaml" is not allowed; a loaded spec is'],
  [{ password: 'secret' }, 'password: there is no such option; allowed are baseUrl, user, paraphrase, fetch, spec'],
])('%j is refused with a sentence', (wrong, sentence) => {
  const make = () => hydraClient({ ...right, ...wrong } as HydraClientOptions);
  expect(make).toThrow(sentence);
  expect(make).toThrow(expect.objectContaining({ code: 'HYDRAUTH_OPTION' }));
});

test('a base URL may end with a slash, and an address counts from it', async () => {
  const asked: string[] = [];
  const fetch = async (input: string | URL | Request) => {
    asked.push(String(input));
    return new Response();
  };
  for (const baseUrl of [right.baseUrl, `${right.baseUrl}/`, new URL(right.baseUrl)])
    await hydraClient({ ...right, baseUrl, fetch }).fetch('people?page=2');
  expect(asked).toEqual(Array(3).fill('http://localhost:8080/api/people?page=2'));
});
