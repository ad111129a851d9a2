import { describe, expect, it } from '@jest/globals';
import { createTokens } from '../../src/config/token-files.ts';

/** So many that among them are digests which begin, or end, as that of a token: one of 256 does. */
const STRANGERS = Array.from({ length: 5_000 }, (_, i) => `stranger-${i}`);

describe('tokens', () => {
  const tokens = createTokens(['the first token', 'the second token']);

  it('let in a request with one of them', () => {
    expect(tokens.accepts('the first token')).toBe(true);
    expect(tokens.accepts('the second token')).toBe(true);
  });

  it('refuse every other request', () => {
    const others = ['', ' ', 'the first token ', 'The first token', 'the first', ...STRANGERS];
    expect(others.filter((one) => tokens.accepts(one))).toEqual([]);
  });

  it('refuse every request where there are none', () => {
    expect(createTokens([]).accepts('')).toBe(false);
  });
});
