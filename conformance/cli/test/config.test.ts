import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratch } from '../../../spec/test/scratch.js';
import { type Args, type Command, parseCall } from '../command.js';
import { commands } from '../commands.js';
import { withConfig } from '../config.js';

const folder = scratch();
const check = commands.find(({ name }) => name === 'check') as Command;

function configured(text: string, ...words: string[]): Args {
  writeFileSync(join(folder, 'options.json'), text);
  return withConfig(parseCall(check, [...words, '--config', 'options.json']) as Args, folder);
}

test('options come from a file, those of the command line before them', () => {
  const file = {
    'base-url': 'http://file',
    collection: ['a', 'b'],
    user: '1:x',
    runs: 3,
    strength: 3,
    seed: 4,
    strict: true,
    insecure: false,
    auth: 'off',
  };
  const args = configured(JSON.stringify(file), '--collection', 'c', '--seed=-5');
  expect(args.positionals).toEqual(['http://file']);
  expect([args.texts('collection'), args.texts('user')]).toEqual([['c'], ['1:x']]);
  expect([args.number('runs'), args.number('seed'), args.text('auth'), args.text('engine')]).toEqual([3, -5, 'off', 'all']);
  expect([args.number('strength'), args.given('strength')]).toEqual([3, true]);
  expect([args.flag('strict'), args.flag('insecure'), args.given('runs'), args.given('only')]).toEqual([true, false, true, false]);
  expect(configured('{"base-url": "http://file"}', 'http://call').positionals).toEqual(['http://call']);
});

test.each([
  ['{', 'is not JSON'],
  ['[]', 'holds no object; a JSON object of options is expected'],
  ['{"colection": ["a"]}', 'there is no option colection. Did you mean collection?'],
  ['{"config": "other.json"}', 'there is no option config.'],
  ['{"collection": [1]}', 'collection: a text or a list of texts is expected'],
  ['{"runs": "3"}', 'runs: a number is expected'],
  ['{"runs": 0}', '--runs is 0; a whole number from 1 to 1000000 is allowed'],
  ['{"strength": 4}', '--strength is 4; a whole number from 2 to 3 is allowed'],
  ['{"strict": "yes"}', 'strict: true or false is expected'],
  ['{"auth": "maybe"}', '--auth is "maybe"; allowed: on, off'],
  ['{"user": {"id": 1, "paraphrase": "secret"}}', 'user: a text or a list of texts is expected'],
  ['{"user": ["1:secret"],}', 'is not JSON'],
  ['{"base-url": 7}', 'base-url: a text is expected'],
])('%s is refused', (text, message) => {
  expect(() => configured(text)).toThrow(/^--config options\.json: /);
  expect(() => configured(text)).toThrow(message);
  expect(() => configured(text)).not.toThrow('secret');
});
