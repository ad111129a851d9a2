import { expect, it } from '@jest/globals';
import { CARELESS, type Carelessness } from '../../sim/careless.ts';
import type { Law } from '../../sim/laws.ts';
import { runSeed } from '../../sim/run.ts';

/** For each careless engine a world in which it pays somebody twice, or says what is not so. */
const CAUGHT: Readonly<Record<Carelessness, Readonly<{ seed: number; law: Law }>>> = {
  'blind-resend': { seed: 3, law: 'I1' },
  'no-fence': { seed: 26, law: 'I1' },
  'sign-at-send': { seed: 694, law: 'I5' },
  'stale-facts': { seed: 124452, law: 'I1' },
  'other-body': { seed: 5, law: 'I5' },
  'miss-is-failed': { seed: 13, law: 'I2' },
  'trusts-webhooks': { seed: 20, law: 'I2' },
  'ignores-pauses': { seed: 29, law: 'I6' },
  'resends-all': { seed: 3, law: 'I1' },
  'trusts-older-store': { seed: 12939, law: 'I5' },
  'no-second-look': { seed: 7, law: 'I1' },
  'trusts-balances': { seed: 4, law: 'I12' },
  'forgets-paid': { seed: 3, law: 'I11' },
};

it.each(Object.keys(CARELESS) as Carelessness[])(
  'an engine that is careless (%s) breaks a law in a world in which ours keeps all',
  (careless) => {
    const { seed, law } = CAUGHT[careless];
    expect(runSeed(seed, { careless }).broken.map((broken) => broken.law)).toContain(law);
    expect(runSeed(seed).broken).toEqual([]);
  },
);

it('laws ask the network, and what is told: not the store of an engine that takes what is in doubt for unsent', () => {
  const laws = runSeed(3, { careless: 'blind-resend' }).broken.map(({ law }) => law);
  expect(laws).toEqual(expect.arrayContaining(['I1', 'I3', 'I5']));
});
