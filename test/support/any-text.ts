import fc from 'fast-check';

const SURROGATES_FROM = 0xd800;
const SURROGATES = 0x800;
const CODE_POINT_MAX = 0x10_ffff;

/**
 * Any character of Unicode but halves of one. What fast-check calls 'binary' makes the same, and spends seconds and a hundred
 * megabytes in each test file on a table that leads from each character back to its number.
 */
const anyCharacter = fc.nat(CODE_POINT_MAX - SURROGATES).map(characterAt, placeOf);

/** Text of any characters, some of it known to make trouble, like `__proto__`; `maxLength` counts characters. */
export const anyText = (constraints: fc.StringSharedConstraints = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: anyCharacter });

function characterAt(place: number): string {
  return String.fromCodePoint(place < SURROGATES_FROM ? place : place + SURROGATES);
}

/** The inverse. Throws, as fast-check asks of it, where the text is no such character. */
function placeOf(text: unknown): number {
  const [character, ...others] = typeof text === 'string' ? text : '';
  const codePoint = character?.codePointAt(0);
  if (codePoint === undefined || others.length > 0) throw new Error('not one character');
  if (codePoint < SURROGATES_FROM) return codePoint;
  if (codePoint < SURROGATES_FROM + SURROGATES) throw new Error('half a character');
  return codePoint - SURROGATES;
}
