import type { ActivityName, AttackedWorld, CallEnd } from './attacked-world.ts';
import { broken } from './laws.ts';
import { openCopy, type Scene } from './victims.ts';

/** A call of a rogue workflow; `workflowId`: the id that it gave itself. */
export type Call = Readonly<{ name: ActivityName; input: unknown; workflowId?: string }>;

/** A call that rests for longer is canceled, as a rogue workflow can do, in milliseconds. */
const CALL_MS_MAX = 250;

/** What no activity threw and nothing caught: it would end a worker. */
const uncaught: unknown[] = [];
process.on('unhandledRejection', (error) => void uncaught.push(error));

/** Carries an attack out on a copy of the scene; returns the laws that it broke. `first` changes the copy before. */
export async function attack(
  scene: Scene,
  calls: readonly Call[],
  first: (world: AttackedWorld) => unknown = () => undefined,
): Promise<string[]> {
  const world = await openCopy(scene);
  try {
    await first(world);
    const ends: CallEnd[] = [];
    for (const { name, input, workflowId = 'rogue' } of calls) {
      ends.push(await world.call(name, input, { workflowId, msMax: CALL_MS_MAX }));
    }
    const laws = await broken(scene, world, ends);
    return [...laws, ...uncaught.splice(0).map((error) => `law 4: ${String(error)}`)];
  } finally {
    await world.close();
  }
}
