import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BatchInput } from '../../../src/contract/batch.ts';
import type { Hold } from '../../../src/domain/holds/hold.ts';
import type { Approval } from '../../../src/domain/approval/statement.ts';
import { submissionSubject } from '../../../src/domain/approval/submission.ts';
import { createBlobStore } from '../../../src/store/blobs.ts';
import { isoOf } from '../../support/approvers.ts';
import { sampleRows, writeSample } from '../../support/sample-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { ServiceState } from './attacked-service.ts';
import { type AttackedWorld, FREE, GUARDED, openWorld } from './attacked-world.ts';
import { addSchedule, DEAR, makeVictim, ROWS, type Victim, VICTIMS } from './make-victim.ts';
import { OPTIONS, statementBy } from './statement-by.ts';

/** Chunks that may be sent during an attack: people approved these batches, and nothing is against them. */
export const MAY_LEAVE = [
  { batchId: 'paying', chunk: 1 },
  { batchId: 'doubtful', chunk: 1 },
  { batchId: 'liftable', chunk: 0 },
  { batchId: 'liftable', chunk: 1 },
  { batchId: 'answered', chunk: 0 },
  { batchId: 'answered', chunk: 1 },
] as const;

/** What an attacker finds: the state of the world, and everything that people ever signed. */
export type Scene = Readonly<{
  folder: string;
  service: ServiceState;
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
  const digests = await digestsOf(world);
  const holds = (await Promise.all(VICTIMS.map((id) => world.store.holds.all(id)))).flat();
  const { seq: entries } = await world.store.audit.head();
  await world.close();
  const service = structuredClone(world.attacked.state);
  const payoutIds = service.payouts.map(({ id }) => id);
  return { folder, service, inputs, statements, digests, entries, holds, payoutIds };
}

/** Opens a copy of the scene, in which everything is as it was. */
export async function openCopy({ folder, service }: Scene): Promise<AttackedWorld> {
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

async function inputOf(
  { folder }: AttackedWorld,
  { victim, place }: Readonly<{ victim: Victim; place: number }>,
): Promise<BatchInput> {
  const path = join(folder, `${victim}.csv`);
  const currency = victim === 'free' ? FREE : GUARDED;
  writeSample(path, sampleRows({ rows: ROWS, from: place * ROWS, currencies: [currency] }));
  const { sha256 } = await createBlobStore(`file:${join(folder, 'blobs')}`).putFile(path);
  const input: BatchInput = {
    ...{ batchId: victim, accountRef: 'main', file: { name: `${victim}.csv`, sha256 } },
    ...{ options: OPTIONS, submittedBy: 'alice', submittedAt: isoOf(Date.now() - 3_600_000) },
    ...{ generation: 0, parentBatchId: null },
  };
  if (victim === 'unsigned') return input;
  const optionsJson = JSON.stringify(OPTIONS);
  const parts = { accountRef: 'main', fileSha256: sha256, optionsJson };
  const about = submissionSubject({
    ...{ batchId: victim, generation: 0, parentBatchId: null },
    ...parts,
  });
  return { ...input, submission: statementBy('alice', about, { decision: 'submit' }) };
}
