import { expect, it } from '@jest/globals';
import { CARELESS, type Carelessness } from '../../sim/careless.ts';
import type { Law } from '../../sim/laws.ts';
import { runSeed } from '../../sim/run.ts';

/** For each careless engine a world in which it pays a row twice, tells a falsehood, or asks a person without need. */
const CAUGHT: Readonly<Record<Carelessness, Readonly<{ seed: number; law: Law }>>> = {
  'blind-resend': { seed: 4, law: 'I5' },
  'no-fence': { seed: 5, law: 'I5' },
  'single-date': { seed: 146, law: 'I5' },
  'sign-at-send': { seed: 952, law: 'I5' },
  'stale-facts': { seed: 166, law: 'I5' },
  'unlists-late': { seed: 6, law: 'I5' },
  'other-body': { seed: 5, law: 'I5' },
  'miss-is-failed': { seed: 2, law: 'I2' },
  'trusts-webhooks': { seed: 12, law: 'I2' },
  'ignores-pauses': { seed: 29, law: 'I6' },
  'resends-all': { seed: 4, law: 'I4' },
  'trusts-older-store': { seed: 469, law: 'I5' },
  'verifies-at-once': { seed: 45805, law: 'I5' },
  'no-second-look': { seed: 29, law: 'I4' },
  'garbage-disproves': { seed: 189, law: 'I11' },
  'hasty-miss': { seed: 199, law: 'I5' },
  'silent-second': { seed: 983, law: 'I12' },
  'never-distrusts': { seed: 3987, law: 'I12' },
  'never-looks-again': { seed: 983, law: 'I12' },
  'miss-is-alone': { seed: 983, law: 'I12' },
  'trusts-balances': { seed: 26, law: 'I14' },
  'forgets-differences': { seed: 261, law: 'I14' },
  'counts-ends-alone': { seed: 2, law: 'I14' },
  'ends-early': { seed: 55, law: 'I3' },
  'forgets-paid': { seed: 3, law: 'I13' },
  'keeps-old-fees': { seed: 16, law: 'I15' },
  'releases-unapproved': { seed: 19, law: 'I15' },
};

it.each(Object.keys(CARELESS) as Carelessness[])(
  'an engine that is careless (%s) breaks a law in a world in which ours keeps all',
  (careless) => {
    const { seed, law } = CAUGHT[careless];
    expect(runSeed(seed, { careless }).broken.map((broken) => broken.law)).toContain(law);
    expect(runSeed(seed).broken).toEqual([]);
  },
);

it('laws judge the network and the reports, and not the store of an engine that takes ambiguous creates for unsent', () => {
  const laws = runSeed(58, { careless: 'blind-resend' }).broken.map(({ law }) => law);
  expect(laws).toEqual(expect.arrayContaining(['I1', 'I3', 'I5']));
});
