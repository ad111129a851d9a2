import { expect, it } from '@jest/globals';
import { witnessOf } from '../../mutants/witness.ts';

it.each([
  [
    'PASS a\nFAIL b\n  ● a send › leaves once\n\n    expected 1\n  ● another\n',
    'a send › leaves once',
  ],
  [
    'Laws\n  I1  no row is paid twice: BROKEN by seed 7: twice\n',
    'I1 no row is paid twice: BROKEN by seed 7: twice',
  ],
  ['| x | BROKEN 2 times |\n', '/ x / BROKEN 2 times /'],
  ['killed', 'without naming a test or a law'],
])('the witness of %j is %j', (talk, witness) => {
  expect(witnessOf(talk)).toBe(witness);
});
