import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BatchInput } from '../../../src/contract/batch.ts';
import type { Hold } from '../../../src/domain/holds/hold.ts';
import { holdSubject } from '../../../src/domain/approval/question.ts';
import type { Approval } from '../../../src/domain/approval/statement.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { ServiceState } from './attacked-service.ts';
import { type AttackedWorld, openWorld } from './attacked-world.ts';
import { addSchedule, EARLY_PAUSE, inputOf, makeVictim, must } from './make-victim.ts';
import { statementBy } from './statements.ts';

/** A fee of one row that is far above the one that the plans were quoted. */
const DEAR = '0.5';

/**
 * The batches that are attacked, by what became of them before. `fresh`: read, and signed by its submitter. `unsigned`: read, and
 * signed by no person. `unapproved`: planned. `half`: one of two approved it. `held`: approved and paused. `dear`: approved, and
 * held by the rule for fees. `free`: planned, and in need of no approval. `canceled`, `ended`: what the names say. `paying`: one of
 * two chunks was sent. `doubtful`: a person is asked about its first chunk. `later`, `freeLater`: due in 30 days, and approved or in
 * need of no approval. `lapsed`: approved by statements that have lapsed since. `early`: read and paused; people signed approvals of
 * the plan that it will have. `limited`: the same without a pause, and above the limit of a day. `liftable`: as `held`, and two people
 * signed that the pause is lifted. `answered`: as `doubtful`, and two people signed an answer.
 */
export const VICTIMS = [
  ...(['fresh', 'unsigned', 'unapproved', 'half', 'held', 'dear', 'free'] as const),
  ...(['canceled', 'ended', 'paying', 'doubtful', 'liftable', 'answered'] as const),
  ...(['later', 'freeLater', 'lapsed', 'early', 'limited'] as const),
] as const;

export type Victim = (typeof VICTIMS)[number];

/** Chunks that may be sent during an attack: people approved these batches, and nothing is against them. */
export const MAY_LEAVE = [
  { batchId: 'paying', chunk: 1 },
  { batchId: 'doubtful', chunk: 1 },
  { batchId: 'liftable', chunk: 0 },
  { batchId: 'liftable', chunk: 1 },
  { batchId: 'answered', chunk: 0 },
  { batchId: 'answered', chunk: 1 },
] as const;

/** The folder of a world, and the state of its service. */
type WorldFiles = Readonly<{ folder: string; service: ServiceState }>;

/** What an attacker finds: the state of the world, and everything that people ever signed. */
export type Scene = WorldFiles &
  Readonly<{
    inputs: readonly BatchInput[];
    statements: readonly Approval[];
    /** By batch. */
    digests: ReadonlyMap<string, string>;
    /** Entries of the audit log before the attack. */
    entries: number;
    holds: readonly Hold[];
    payoutIds: readonly string[];
  }>;

/** Makes all victims in a folder, by the activities of a worker and with genuine signatures. */
export async function setTheScene(): Promise<Scene> {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'incoming'));
  const world = await openWorld(folder);
  const statements: Approval[] = [];
  const inputs: BatchInput[] = [];
  for (const [place, victim] of VICTIMS.entries()) {
    const input = await inputOf(world, { victim, place });
    inputs.push(input);
    if (input.submission !== undefined) statements.push(input.submission);
    await makeVictim(world, { victim, input, sign: (one) => void statements.push(one) });
  }
  await addSchedule(world, (one) => void statements.push(one));
  const planned = await digestsOf(world);
  const holds = (await Promise.all(VICTIMS.map((id) => world.store.holds.all(id)))).flat();
  const { seq: entries } = await world.store.audit.head();
  await world.close();
  const service = structuredClone(world.attacked.state);
  const coming = await digestsToCome({ folder, service }, inputs);
  statements.push(...approvalsToCome(coming, holds));
  const digests = new Map([...planned, ...coming]);
  const payoutIds = service.payouts.map(({ id }) => id);
  return { folder, service, inputs, statements, digests, entries, holds, payoutIds };
}

/** Opens a copy of the scene, in which everything is as it was. */
export async function openCopy({ folder, service }: WorldFiles): Promise<AttackedWorld> {
  const copy = temporaryFolder();
  cpSync(folder, copy, { recursive: true });
  const world = await openWorld(copy, service);
  // The rule still forbids to pay what it holds.
  world.attacked.how.fee = DEAR;
  return world;
}

async function digestsOf({ store }: AttackedWorld): Promise<Map<string, string>> {
  const batches = await Promise.all(VICTIMS.map((id) => store.batches.find(id)));
  return new Map(
    batches.flatMap((batch) => (batch?.digest ? [[batch.batchId, batch.digest] as const] : [])),
  );
}

/** Victims without a plan, whose coming plan people have approved: somebody showed them a plan that was made elsewhere. */
const APPROVED_BEFORE: readonly Victim[] = ['early', 'limited'];

async function digestsToCome(
  scene: WorldFiles,
  inputs: readonly BatchInput[],
): Promise<Map<string, string>> {
  const world = await openCopy(scene);
  const digests = new Map<string, string>();
  for (const input of inputs) {
    if (!APPROVED_BEFORE.some((victim) => victim === input.batchId)) continue;
    const { digest } = await must<{ digest: string }>(world, 'planBatch', input);
    digests.set(input.batchId, digest);
  }
  await world.close();
  return digests;
}

/** Two people approve each coming plan, and one of them its pause. */
const approvalsToCome = (coming: ReadonlyMap<string, string>, holds: readonly Hold[]): Approval[] =>
  [...coming].flatMap(([batchId, digest]) => [
    ...['bob', 'carol'].map((person) => statementBy(person, { batchId, subject: digest })),
    ...holds
      .filter(({ reason }) => batchId === 'early' && reason === EARLY_PAUSE)
      .map((hold) => statementBy('bob', { batchId, subject: holdSubject(digest, hold) })),
  ]);
