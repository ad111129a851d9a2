import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import fc, { type Arbitrary } from 'fast-check';
import { type ActivityName, type CallEnd } from './support/attacked-world.ts';
import { inputsOf } from './support/inputs.ts';
import { broken } from './support/laws.ts';
import { openCopy, type Scene, setTheScene, type Victim, VICTIMS } from './support/victims.ts';

jest.setTimeout(300_000);

/** A call of a rogue workflow; `workflowId`: the id that it gave itself. */
type Call = Readonly<{ name: ActivityName; input: unknown; workflowId: string }>;

/** A call that rests for longer is canceled, as a rogue workflow can do, in milliseconds. */
const CALL_MS_MAX = 250;
const ATTACKS = 300;

let scene: Scene;
/** What no activity threw and nobody caught: it would end a worker. */
const uncaught: unknown[] = [];
const note = (error: unknown): void => void uncaught.push(error);

beforeAll(async () => {
  process.on('unhandledRejection', note);
  scene = await setTheScene();
});
afterAll(() => void process.off('unhandledRejection', note));

const attacks = (focus: Victim): Arbitrary<readonly Call[]> => {
  const inputs = Object.entries(inputsOf(scene, focus)) as [ActivityName, Arbitrary<unknown>][];
  const workflowId = fc.constantFrom('rogue', `batch/${focus}`, 'schedule/rent-2026-11-24');
  const calls = inputs.map(([name, input]) =>
    fc.record({ name: fc.constant(name), input, workflowId }),
  );
  return fc.array(fc.oneof(...calls), { minLength: 1, maxLength: 30, size: 'max' });
};

/** Carries an attack out on a copy of the scene; returns the laws that it broke. */
async function attack(calls: readonly Call[]): Promise<string[]> {
  const world = await openCopy(scene);
  try {
    const ends: CallEnd[] = [];
    for (const { name, input, workflowId } of calls) {
      ends.push(await world.call(name, input, { workflowId, msMax: CALL_MS_MAX }));
    }
    return [...(await broken(scene, world, ends)), ...uncaught.splice(0).map(String)];
  } finally {
    await world.close();
  }
}

it('the adversary calls every activity of a worker', async () => {
  const { activities, close } = await openCopy(scene);
  await close();
  expect(Object.keys(inputsOf(scene, 'paying')).sort()).toEqual(Object.keys(activities).sort());
});

it('who reaches Temporal, and has no key, breaks no law by any calls in any order', async () => {
  const anyAttack = fc.constantFrom(...VICTIMS).chain(attacks);
  await fc.assert(
    fc.asyncProperty(anyAttack, async (calls) => expect(await attack(calls)).toEqual([])),
    { numRuns: ATTACKS, interruptAfterTimeLimit: 60_000 },
  );
});
