import { describe, expect, test } from 'vitest';
import { type Args, CallError, type Command, parseCall } from '../command.js';

const command: Command = {
  name: 'check',
  summary: 'For tests.',
  positionals: [{ name: 'url', text: 'Where.', like: /^http:/ }],
  options: [
    { name: 'collection', value: 'NAME', many: true, text: 'Several.' },
    { name: 'user', value: 'ID:PARAPHRASE', many: true, text: 'Several.' },
    { name: 'auth', value: 'A', allowed: ['on', 'off'], default: 'on', text: 'One of two.' },
    { name: 'seed', value: 'N', whole: [-5, 5], text: 'A number.' },
    { name: 'ca', value: 'F', text: 'A file.', not: ['insecure'] },
    { name: 'insecure', text: 'A flag.' },
  ],
  examples: {},
  exitCodes: [],
  run: async () => 0,
};

function parsed(...words: string[]): Args {
  const args = parseCall(command, words);
  if (typeof args === 'string') throw new Error(`it asks for ${args}`);
  return args;
}

describe('several values', () => {
  test.each([
    ['after one option', ['http://h', '--collection', 'a', 'b']],
    ['after the option repeated', ['http://h', '--collection', 'a', '--collection', 'b']],
    ['after an equals sign', ['http://h', '--collection=a', 'b']],
    ['before what looks like the argument', ['--collection', 'a', 'b', 'http://h']],
    ['around it', ['--collection', 'a', 'http://h', 'b']],
    ['and then the end of options', ['--collection', 'a', 'b', '--', 'http://h']],
  ])('%s', (_, words) => {
    const args = parsed(...words);
    expect(args.texts('collection')).toEqual(['a', 'b']);
    expect(args.positionals).toEqual(['http://h']);
  });
});

describe('one value', () => {
  test('is taken in any letter case where few are allowed', () => {
    const args = parsed('http://h', '--auth', 'OFF');
    expect([args.text('auth'), args.given('auth')]).toEqual(['off', true]);
  });

  test('may begin with a dash after an equals sign, and hold more of them', () => {
    const args = parsed('http://h', '--seed=-5', '--user=-1:a=b', '--insecure');
    expect([args.number('seed'), args.texts('user'), args.flag('insecure')]).toEqual([-5, ['-1:a=b'], true]);
  });
});

describe('a wrong call', () => {
  test.each<[string, string[], string | RegExp]>([
    ['an unknown option', ['http://h', '--colection', 'a'], /^there is no option --colection\. Did you mean --collection\?$/],
    [
      'an unknown short option',
      ['http://h', '-x'],
      'there is no option -x.\nAllowed: --collection --user --auth --seed --ca --insecure --help --version',
    ],
    ['a missing argument', ['--collection', 'a'], '<url> is missing'],
    ['one argument too many', ['http://h', 'more'], 'unexpected argument "more"'],
    ['a missing value', ['http://h', '--ca'], '--ca needs a value: --ca F'],
    ['an option as a value', ['http://h', '--ca', '--insecure'], '--ca needs a value; one that begins with a dash is written --ca=F'],
    ['a value that is not allowed', ['http://h', '--auth', 'maybe'], '--auth is "maybe"; allowed: on, off'],
    ['no number', ['http://h', '--seed', '1e3'], '--seed is 1e3; a whole number from -5 to 5 is allowed'],
    ['a number out of range', ['http://h', '--seed', '6'], '--seed is 6; a whole number from -5 to 5 is allowed'],
    ['an option given twice', ['http://h', '--ca', 'a', '--ca', 'b'], '--ca is given twice'],
    ['a flag with a value', ['http://h', '--insecure=yes'], '--insecure takes no value'],
    ['two options that exclude each other', ['http://h', '--insecure', '--ca', 'a'], '--ca and --insecure cannot be given together'],
  ])('%s', (_, words, message) => {
    expect(() => parseCall(command, words)).toThrow(CallError);
    expect(() => parseCall(command, words)).toThrow(message);
  });

  test.each(['help', 'version'])('is none beside --%s', (wish) => {
    expect(parseCall(command, ['--nonsense', `--${wish}`])).toBe(wish);
  });

  test('and -h asks for help', () => {
    expect(parseCall(command, ['-h'])).toBe('help');
  });
});
