import { expect, it } from '@jest/globals';
import { verdictOf } from '../../mutants/witness.ts';

const FAILED = { isGood: false, isTimeOut: false };
const NAMELESS = 'not caught: it failed, but names no test and no law';

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
  [
    '  ● Console\n\n  ● Test suite failed to run\n\n  ● a send › leaves once\n',
    'a send › leaves once',
  ],
])('a run that fails with %j noticed the mutant by %j', (talk, witness) => {
  expect(verdictOf({ ...FAILED, talk })).toEqual({ isCaught: true, says: `caught: ${witness}` });
});

it.each(['killed', '  ● Test suite failed to run\n\n    Cannot find module\n'])(
  'a run that fails with %j noticed nothing',
  (talk) => {
    expect(verdictOf({ ...FAILED, talk })).toEqual({ isCaught: false, says: NAMELESS });
  },
);

it('a run that does not end in time noticed nothing, with any output before', () => {
  expect(verdictOf({ ...FAILED, isTimeOut: true, talk: '  ● a send › leaves once\n' })).toEqual({
    isCaught: false,
    says: 'not caught: it did not end in time',
  });
});

it('a run that succeeds noticed nothing', () => {
  expect(verdictOf({ isGood: true, isTimeOut: false, talk: 'PASS a' })).toEqual({
    isCaught: false,
    says: 'not caught',
  });
});
