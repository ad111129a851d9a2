import { beforeAll, expect, it, jest } from '@jest/globals';
import fc, { type Arbitrary } from 'fast-check';
import { attack, type Call } from './support/attack.ts';
import type { ActivityName } from './support/attacked-world.ts';
import { inputsOf } from './support/inputs.ts';
import { stepsToPay } from './support/steps.ts';
import { openCopy, type Scene, setTheScene, type Victim, VICTIMS } from './support/victims.ts';

jest.setTimeout(300_000);

const ATTACKS = 300;
const ATTACKS_MS_MAX = 120_000;
/** With fewer in that time the test fails: it would prove nothing. */
const ATTACKS_MIN = 100;

let scene: Scene;
beforeAll(async () => {
  scene = await setTheScene();
});

/** Any calls, of every activity and mostly about one victim. */
function anyCalls(focus: Victim, most: number): Arbitrary<readonly Call[]> {
  const inputs = Object.entries(inputsOf(scene, focus)) as [ActivityName, Arbitrary<unknown>][];
  const workflowId = fc.constantFrom('rogue', `batch/${focus}`, 'schedule/rent-2026-11-24');
  const calls = inputs.map(([name, input]) =>
    fc.record({ name: fc.constant(name), input, workflowId }),
  );
  return fc.array(fc.oneof(...calls), { maxLength: most, size: 'max' });
}

/** The steps by which a workflow pays the victim, from any step on, with any calls between them. */
function anyCallsOnTheWay(focus: Victim): Arbitrary<readonly Call[]> {
  const steps = stepsToPay(scene, focus);
  const between = steps.map((step) => anyCalls(focus, 2).map((calls) => [...calls, step]));
  return fc.tuple(...between).map((parts) => parts.flat());
}

const attacks = (focus: Victim): Arbitrary<readonly Call[]> =>
  fc.oneof(anyCalls(focus, 30), anyCallsOnTheWay(focus));

it('the adversary calls every activity of a worker', async () => {
  const { activities, close } = await openCopy(scene);
  await close();
  expect(Object.keys(inputsOf(scene, 'paying')).sort()).toEqual(Object.keys(activities).sort());
});

it('who reaches Temporal, and has no key, breaks no law by any calls in any order', async () => {
  const anyAttack = fc.constantFrom(...VICTIMS).chain(attacks);
  let done = 0;
  await fc.assert(
    fc.asyncProperty(anyAttack, async (calls) => {
      expect(await attack(scene, calls)).toEqual([]);
      done += 1;
    }),
    { numRuns: ATTACKS, interruptAfterTimeLimit: ATTACKS_MS_MAX },
  );
  expect(done).toBeGreaterThanOrEqual(ATTACKS_MIN);
});
