import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BatchInput, BatchOptions } from '../../../src/contract/batch.ts';
import type { Hold } from '../../../src/domain/holds/hold.ts';
import { questionOfAnswer } from '../../../src/domain/approval/answer.ts';
import { holdSubject } from '../../../src/domain/approval/question.ts';
import type { Approval, Decision } from '../../../src/domain/approval/statement.ts';
import { scheduleSubject, submissionSubject } from '../../../src/domain/approval/submission.ts';
import { createBlobStore } from '../../../src/store/blobs.ts';
import { isoOf, signed } from '../../support/approvers.ts';
import { sampleRows, writeSample } from '../../support/sample-file.ts';
import { auditOf, definition } from '../../support/schedule-definitions.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { ServiceState } from './attacked-service.ts';
import {
  type ActivityName,
  type AttackedWorld,
  FREE,
  GUARDED,
  openWorld,
} from './attacked-world.ts';

const DAY_MS = 86_400_000;
const ROWS = 4;
/** A fee of one row that is far above the one that the plans were quoted. */
const DEAR = '0.5';

/**
 * The batches that are attacked, by what became of them before. `fresh`: read, and signed by its submitter. `unsigned`: read, and
 * signed by no person. `unapproved`: planned. `half`: one of two approved it. `held`: approved and paused. `dear`: approved, and
 * held by the rule for fees. `free`: planned, and in need of no approval. `canceled`, `ended`: what the names say. `paying`: one of two chunks was sent. `doubtful`: a person is
 * asked about its first chunk.
 */
export const VICTIMS = [
  ...(['fresh', 'unsigned', 'unapproved', 'half', 'held', 'dear', 'free'] as const),
  ...(['canceled', 'ended', 'paying', 'doubtful'] as const),
] as const;

export type Victim = (typeof VICTIMS)[number];

/** Chunks that may be sent during an attack: people approved these batches, and nothing is against them. */
export const MAY_LEAVE = [
  { batchId: 'paying', chunk: 1 },
  { batchId: 'doubtful', chunk: 1 },
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

export const OPTIONS: BatchOptions = {
  ...{ chunkRows: 2, chunksInFlight: 1, rowTag: 'append', currency: null, skipInvalid: false },
  ...{ expectCount: null, expectTotals: [], accept: ['SAME_FILE_AGAIN'], expectedDigest: null },
  ...{ canaryRows: 0, stopLoss: [], at: null, executionDate: null, fundsWaitMs: null },
  ...{ beforeScheduled: false, pollMinMs: 100, pollMaxMs: 1_000 },
};

type StatementDetails = Readonly<{
  decision: Decision;
  /** Whose key signs. */
  signer: string;
  issuedMs: number;
  lastsMs: number;
}>;

/** A statement that a person signed, an hour ago unless the test says when. */
export function statementBy(
  person: string,
  about: Readonly<{ batchId: string; subject: string }>,
  {
    decision = 'approve',
    signer = person,
    issuedMs = Date.now() - 3_600_000,
    lastsMs = 20 * 3_600_000,
  }: Partial<StatementDetails> = {},
): Approval {
  const times = { issuedAt: isoOf(issuedMs), expiresAt: isoOf(issuedMs + lastsMs) };
  return signed({ ...about, decision, person, reason: '', ...times }, signer);
}

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

type Making = Readonly<{ victim: Victim; input: BatchInput; sign(statement: Approval): void }>;

async function makeVictim(world: AttackedWorld, making: Making): Promise<void> {
  const { victim, input } = making;
  const batchId = victim;
  await must(world, 'ingestFile', input);
  if (victim === 'fresh' || victim === 'unsigned') return;
  const { digest } = await must<{ digest: string }>(world, 'planBatch', input);
  await must(world, 'quoteFees', { batchId });
  const about = { batchId, subject: digest };
  signUselessly(making, about);
  const approvers =
    victim === 'unapproved' || victim === 'free'
      ? []
      : victim === 'half'
        ? ['bob']
        : ['bob', 'carol'];
  for (const name of approvers) {
    const approval = statementBy(name, about);
    making.sign(approval);
    await must(world, 'recordApproval', { batchId, approval, hold: null });
  }
  if (approvers.length < 2 || victim === 'free') return;
  await must(world, 'checkFunds', { batchId });
  await must(world, 'releaseBatch', { batchId });
  await goOn(world, { ...making, digest });
}

/** What is signed well and counts for nothing: by the submitter, by a role that does not count, too early, or too late. */
function signUselessly({ sign }: Making, about: Readonly<{ batchId: string; subject: string }>) {
  sign(statementBy('alice', about));
  sign(statementBy('dave', about));
  sign(statementBy('carol', about, { issuedMs: Date.now() - 3 * DAY_MS }));
  sign(statementBy('carol', about, { issuedMs: Date.now() + 3 * DAY_MS }));
}

async function goOn(world: AttackedWorld, making: Making & { digest: string }): Promise<void> {
  const { victim: batchId, digest, sign } = making;
  const act = { by: 'alice', reason: 'the test says so' };
  switch (batchId) {
    case 'held':
      return signLift(await must(world, 'putHold', pauseOf(batchId)), { digest, batchId, sign });
    case 'dear': {
      world.attacked.how.fee = DEAR;
      const { kind, ...verdict } = await must<{ kind: string }>(world, 'checkFees', { batchId });
      world.attacked.how.fee = '0.01';
      const input = { batchId, kind: 'FEE_DRIFT', by: 'Bursar', ...verdict };
      if (kind !== 'drift') throw new Error(`the fees are ${kind}`);
      return signLift(await must(world, 'putHold', input), { digest, batchId, sign });
    }
    case 'canceled':
      return void (await must(world, 'noteCancel', { batchId, ...act }));
    case 'ended':
      return complete(world, making);
    case 'paying':
      return void (await send(world, making, 0));
    case 'doubtful':
      return doubt(world, making);
    default:
      throw new Error(`${batchId} goes no further`);
  }
}

const pauseOf = (batchId: string) => ({
  ...{ batchId, kind: 'PAUSE', reason: 'wait for the auditor', by: 'alice', facts: {} },
});

/** One of two people approves a hold, and both approve a hold that looks like it. */
function signLift(
  hold: Hold,
  { digest, batchId, sign }: Pick<Making, 'sign'> & { digest: string; batchId: string },
): void {
  const other = { ...hold, since: isoOf(Date.parse(hold.since) - 1_000) };
  sign(statementBy('bob', { batchId, subject: holdSubject(digest, hold) }));
  for (const name of ['bob', 'carol']) {
    sign(statementBy(name, { batchId, subject: holdSubject(digest, other) }));
  }
}

const send = (
  world: AttackedWorld,
  { victim: batchId, digest }: Making & { digest: string },
  chunk: number,
) =>
  must(world, 'sendChunk', {
    ...{ batchId, chunk, digest, proveLookup: false, stopped: null, wasCreated: false },
  });

async function complete(world: AttackedWorld, making: Making & { digest: string }): Promise<void> {
  const { victim: batchId } = making;
  for (const chunk of [0, 1]) {
    await send(world, making, chunk);
    world.attacked.settle(world.attacked.state.creates.at(-1) ?? '', 'COMPLETED');
  }
  await must(world, 'sweepChunks', { batchId, chunks: [0, 1] });
  await must(world, 'reportBatch', {
    ...{ batchId, unsentReason: null, canceled: false, error: null },
  });
}

/** A create was lost, a person is asked, and one of two says that nothing was created. */
async function doubt(world: AttackedWorld, making: Making & { digest: string }): Promise<void> {
  const { victim: batchId, sign } = making;
  const { store, attacked } = world;
  attacked.how.cut = true;
  await send(world, making, 0);
  attacked.how.cut = false;
  const { idempotencyKey } = await store.chunks.get(batchId, 0);
  const ref = { batchId, chunk: 0, idempotencyKey };
  const decided = { attempts: 1, from: 'SENDING', reason: 'LOOKUP_UNPROVEN' } as const;
  if (!(await store.sends.setNeedsOperator(ref, decided, Date.now()))) throw new Error('not asked');
  const batch = await store.batches.find(batchId);
  if (batch === undefined) throw new Error('no batch');
  const answer = (chunk: number, attempts: number) => {
    const given = { chunk, idempotencyKey, answer: 'not-created', attempts } as const;
    return { batchId, subject: questionOfAnswer(batch, given)?.subject ?? '' };
  };
  sign(statementBy('bob', answer(0, 1), { decision: 'not-created' }));
  sign(statementBy('carol', answer(0, 2), { decision: 'not-created' }));
  sign(statementBy('carol', answer(1, 1), { decision: 'not-created' }));
}

/** A schedule that alice signed, and whose file is there. */
async function addSchedule(
  { store, folder }: AttackedWorld,
  sign: (statement: Approval) => void,
): Promise<void> {
  const made = definition({ catchUpMs: DAY_MS, options: OPTIONS });
  const { scheduleId } = made;
  const definitionJson = JSON.stringify(made);
  const about = scheduleSubject({ scheduleId, definitionJson });
  const statement = statementBy('alice', about, { decision: 'submit' });
  sign(statement);
  const times = { createdBy: 'alice', createdAtMs: Date.now() - 60_000 };
  await store.schedules.create(
    { scheduleId, definitionJson, statement, ...times },
    auditOf('schedule-create'),
  );
  for (const day of [-1, 0]) {
    const date = isoOf(Date.now() + day * DAY_MS).slice(0, 10);
    const rows = sampleRows({ rows: ROWS, from: 100 + day * ROWS, currencies: [GUARDED] });
    writeSample(join(folder, 'incoming', `pay-${date}.csv`), rows);
  }
}

/** Calls an activity that must succeed. */
async function must<Result>(
  world: AttackedWorld,
  name: ActivityName,
  input: unknown,
): Promise<Result> {
  const end = await world.call(name, input);
  const { kind, error } = ('result' in end ? (end.result ?? {}) : {}) as Record<string, unknown>;
  if ('error' in end) throw new Error(`${name}: ${String(end.error)}`, { cause: end.error });
  if (kind === 'refused') throw new Error(`${name} is refused: ${JSON.stringify(error)}`);
  return end.result as Result;
}
