import { beforeAll, expect, it, jest } from '@jest/globals';
import fc, { type Arbitrary } from 'fast-check';
import { attack, type Call } from './support/attack.ts';
import type { ActivityName } from './support/attacked-world.ts';
import { inputsOf } from './support/inputs.ts';
import { type Victim, VICTIMS } from './support/make-victim.ts';
import { openCopy, type Scene, setTheScene } from './support/victims.ts';

jest.setTimeout(300_000);

const ATTACKS = 300;
const ATTACKS_MS_MAX = 60_000;

let scene: Scene;
beforeAll(async () => {
  scene = await setTheScene();
});

const attacks = (focus: Victim): Arbitrary<readonly Call[]> => {
  const inputs = Object.entries(inputsOf(scene, focus)) as [ActivityName, Arbitrary<unknown>][];
  const workflowId = fc.constantFrom('rogue', `batch/${focus}`, 'schedule/rent-2026-11-24');
  const calls = inputs.map(([name, input]) =>
    fc.record({ name: fc.constant(name), input, workflowId }),
  );
  return fc.array(fc.oneof(...calls), { minLength: 1, maxLength: 30, size: 'max' });
};

it('the adversary calls every activity of a worker', async () => {
  const { activities, close } = await openCopy(scene);
  await close();
  expect(Object.keys(inputsOf(scene, 'paying')).sort()).toEqual(Object.keys(activities).sort());
});

it('who reaches Temporal, and has no key, breaks no law by any calls in any order', async () => {
  const anyAttack = fc.constantFrom(...VICTIMS).chain(attacks);
  await fc.assert(
    fc.asyncProperty(anyAttack, async (calls) => expect(await attack(scene, calls)).toEqual([])),
    { numRuns: ATTACKS, interruptAfterTimeLimit: ATTACKS_MS_MAX },
  );
});
