import { join } from 'node:path';
import type { BatchInput, BatchOptions } from '../../../src/contract/batch.ts';
import type { Hold } from '../../../src/domain/holds/hold.ts';
import { questionOfAnswer } from '../../../src/domain/approval/answer.ts';
import { holdSubject } from '../../../src/domain/approval/question.ts';
import type { Approval } from '../../../src/domain/approval/statement.ts';
import {
  demandSubject,
  scheduleSubject,
  submissionSubject,
} from '../../../src/domain/approval/submission.ts';
import { createFiles } from '../../../src/files/index.ts';
import { isoOf } from '../../support/approvers.ts';
import { keepCopy } from '../../support/kept-copy.ts';
import { sampleRows, writeSample } from '../../support/sample-file.ts';
import { auditOf, definition } from '../../support/schedule-definitions.ts';
import {
  type ActivityName,
  type AttackedWorld,
  DAY_LIMIT,
  FREE,
  GUARDED,
} from './attacked-world.ts';
import { OPTIONS, statementBy } from './statements.ts';
import type { Victim } from './victims.ts';

const DAY_MS = 86_400_000;
const ROWS = 4;
/** A fee of one row that is far above the one that the plans were quoted. */
const DEAR = '0.5';
/** Why `early` is paused. */
export const EARLY_PAUSE = 'the file may be an old one';
const UNPLANNED: readonly Victim[] = ['fresh', 'unsigned', 'early', 'limited'];
const LATER: readonly Victim[] = ['later', 'freeLater'];
const DUE = isoOf(Date.now() + 30 * DAY_MS);

const optionsOf = (victim: Victim): BatchOptions =>
  LATER.includes(victim) ? { ...OPTIONS, at: DUE } : OPTIONS;

export async function inputOf(
  { folder }: AttackedWorld,
  { victim, place }: Readonly<{ victim: Victim; place: number }>,
): Promise<BatchInput> {
  const path = join(folder, `${victim}.csv`);
  const currency = victim.startsWith('free') ? FREE : GUARDED;
  const rows = sampleRows({ rows: ROWS, from: place * ROWS, currencies: [currency] });
  // Two rows of this amount are above the limit of a day.
  writeSample(
    path,
    victim === 'limited' ? rows.map((row) => ({ ...row, amount: DAY_LIMIT })) : rows,
  );
  const sha256 = await keepCopy(createFiles(`file:${join(folder, 'blobs')}`), path);
  const input: BatchInput = {
    batchId: victim,
    accountRef: 'main',
    file: { name: `${victim}.csv`, sha256 },
    options: optionsOf(victim),
    submittedBy: 'alice',
    submittedAt: isoOf(Date.now() - 3_600_000),
    generation: 0,
    parentBatchId: null,
  };
  if (victim === 'unsigned') return input;
  const optionsJson = JSON.stringify(input.options);
  const parts = { accountRef: 'main', fileSha256: sha256, optionsJson };
  const about = submissionSubject({
    batchId: victim,
    generation: 0,
    parentBatchId: null,
    ...parts,
  });
  return { ...input, submission: statementBy('alice', about, { decision: 'submit' }) };
}

type Making = Readonly<{ victim: Victim; input: BatchInput; sign(statement: Approval): void }>;

export async function makeVictim(world: AttackedWorld, making: Making): Promise<void> {
  const { victim, input } = making;
  const batchId = victim;
  await must(world, 'ingestFile', input);
  if (victim === 'early')
    await must(world, 'putHold', { ...pauseOf(batchId), reason: EARLY_PAUSE });
  if (UNPLANNED.includes(victim)) return;
  const { digest } = await must<{ digest: string }>(world, 'planBatch', input);
  await must(world, 'quoteFees', { batchId });
  const about = { batchId, subject: digest };
  signUselessly(making, about);
  if (victim === 'lapsed') return approveLongAgo(world, making, about);
  const approvers = approversOf(victim);
  for (const name of approvers) {
    const approval = statementBy(name, about);
    making.sign(approval);
    await must(world, 'recordApproval', { batchId, approval, hold: null });
  }
  if (approvers.length < 2 || victim === 'later') return;
  await must(world, 'checkFunds', { batchId });
  await must(world, 'releaseBatch', { batchId });
  await goOn(world, { ...making, digest });
}

const approversOf = (victim: Victim): readonly string[] =>
  victim === 'unapproved' || victim.startsWith('free')
    ? []
    : ['bob', 'carol'].slice(0, victim === 'half' ? 1 : 2);

/** Both people approved it in time, and it was not released while their approvals lasted. */
async function approveLongAgo(
  { store }: AttackedWorld,
  { sign }: Making,
  about: Readonly<{ batchId: string; subject: string }>,
): Promise<void> {
  const issuedMs = Date.now() - 2 * DAY_MS;
  for (const name of ['bob', 'carol']) {
    const approval = statementBy(name, about, { issuedMs });
    sign(approval);
    await store.approvals.add(approval, issuedMs);
  }
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
    case 'liftable': {
      const subject = holdSubject(digest, await must<Hold>(world, 'putHold', pauseOf(batchId)));
      for (const name of ['bob', 'carol']) {
        sign(statementBy(name, { batchId, subject }, { reason: `${name} called the auditor` }));
      }
      return;
    }
    case 'dear': {
      world.attacked.how.fee = DEAR;
      const { kind, ...outcome } = await must<{ kind: string }>(world, 'checkFees', { batchId });
      world.attacked.how.fee = '0.01';
      const input = { batchId, kind: 'FEE_DRIFT', by: 'Bursar', ...outcome };
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
    case 'answered':
      return doubt(world, making);
    default:
      throw new Error(`${batchId} goes no further`);
  }
}

const pauseOf = (batchId: string) => ({
  batchId,
  kind: 'PAUSE',
  reason: 'wait for the auditor',
  by: 'alice',
  facts: {},
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
    batchId,
    chunk,
    digest,
    proveLookup: false,
    stopped: null,
    wasCreated: false,
  });

async function complete(world: AttackedWorld, making: Making & { digest: string }): Promise<void> {
  const { victim: batchId } = making;
  for (const chunk of [0, 1]) {
    await send(world, making, chunk);
    world.attacked.settle(world.attacked.state.creates.at(-1) ?? '', 'COMPLETED');
  }
  await must(world, 'sweepChunks', { batchId, chunks: [0, 1] });
  await must(world, 'reportBatch', {
    batchId,
    unsentReason: null,
    canceled: false,
    error: null,
  });
}

/** A create was lost, and a person is asked. One of two says that nothing was created; of `answered` both do, and one abandons it. */
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
  sign(statementBy('bob', answer(0, 1), { decision: 'not-created', reason: 'bob looked' }));
  if (batchId === 'answered') {
    sign(statementBy('carol', answer(0, 1), { decision: 'not-created', reason: 'carol looked' }));
    const given = { chunk: 0, idempotencyKey, answer: 'abandon', attempts: 1 } as const;
    const subject = questionOfAnswer(batch, given)?.subject ?? '';
    sign(statementBy('bob', { batchId, subject }, { decision: 'abandon', reason: 'bob gave up' }));
  }
  sign(statementBy('carol', answer(0, 2), { decision: 'not-created' }));
  sign(statementBy('carol', answer(1, 1), { decision: 'not-created' }));
}

/** The run of the schedule that alice signed to start by hand. */
export const demandedRun = (): string => `${isoOf(Date.now()).slice(0, 10)}T09:00`;

/** A schedule that alice signed, and a run of it that she signed to start, and whose file is there. */
export async function addSchedule(
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
  const demand = demandSubject({ scheduleId, definitionJson }, demandedRun());
  sign(statementBy('alice', demand, { decision: 'submit', reason: 'rent is due' }));
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
export async function must<Result>(
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
