import type { Call } from './attack.ts';
import type { ActivityName } from './attacked-world.ts';
import type { Scene, Victim } from './victims.ts';

const call = (name: ActivityName, input: unknown): Call => ({ name, input });

export const sending = (scene: Scene, batchId: Victim, chunk = 0): Call =>
  call('sendChunk', {
    batchId,
    chunk,
    digest: scene.digests.get(batchId),
    proveLookup: false,
    stopped: null,
    wasCreated: false,
  });

/** The steps from an approved plan to creates, as a workflow takes them. */
export const stepsAfterApproval = (scene: Scene, batchId: Victim): Call[] => [
  call('checkFunds', { batchId }),
  call('releaseBatch', { batchId }),
  ...[sending(scene, batchId), sending(scene, batchId, 1)],
];

/** All steps to creates: the plan, everything that people signed about the batch, and what a workflow does then. */
export const stepsToPay = (scene: Scene, batchId: Victim): Call[] => [
  call(
    'planBatch',
    scene.inputs.find((input) => input.batchId === batchId),
  ),
  call('quoteFees', { batchId }),
  ...scene.statements
    .filter((one) => one.batchId === batchId && one.decision === 'approve')
    .map((approval) => call('recordApproval', { batchId, approval, hold: null })),
  ...stepsAfterApproval(scene, batchId),
];
