import { describe, expect, test } from 'vitest';
import { madeUp, shapeOf, spec, textOf, written } from '../index.js';

describe('the shape of a pattern', () => {
  test.each([
    spec.protocol.challenge.noncePattern,
    spec.protocol.exchange.tokenPattern,
    /^[A-Z0-9]{26}$/,
    /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}$/,
    /^(?:x|y)[^a-z]{30}$/,
    /^(ab){2}[\w-]{22,}$/,
    /^N-\d{39}$/,
    /^(?<part>[a-z2-7]{5}){6}x?$/,
  ])('makes texts of %s', (pattern) => {
    const shape = shapeOf(pattern) ?? [];
    const texts = Array.from({ length: 50 }, () => textOf(shape, (bound) => Math.floor(Math.random() * bound)));
    expect(texts.every((text) => pattern.test(text))).toBe(true);
    expect(new Set(texts).size).toBe(texts.length);
    expect(pattern.test(madeUp(pattern))).toBe(true);
    expect(madeUp(pattern)).not.toBe(madeUp(pattern, 2));
    expect(pattern.test(written(Buffer.alloc(16, 0xa7), shape))).toBe(true);
  });

  test.each([/^a+$/, /abc/, /^(?=x)[0-9a-f]+$/, /^[0-9]{8}$/, /^(a)\1{60}$/, /^[0-9a-f]{64}/, /^\p{L}+$/u])(
    'is not known of %s',
    (pattern) => {
      expect(shapeOf(pattern)).toBeUndefined();
    },
  );
});
