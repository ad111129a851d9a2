import type { InboxHold, InboxItem, InboxNeed, Sources } from './types.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import type { BatchOptions } from '../../contract/batch.ts';
import type { BatchStatus } from '../../contract/status.ts';
import { questionOfBatch } from '../../domain/approval/question.ts';
import { type StoredStatement, storedStatements } from '../../domain/approval/stored-statements.ts';
import { standingOf } from '../../domain/approval/standing.ts';
import type { BatchState } from '../../domain/batch/batch-state.ts';
import { askedHoldOf, type Hold, waitsForPerson } from '../../domain/holds/hold.ts';
import { withCommas } from '../../domain/text/counted.ts';
import { moneyText } from '../../domain/text/money-text.ts';
import { codeInSentence } from '../../domain/text/state-words.ts';
import { openChunks, shownState } from '../../report/batch-view.ts';
import type { ChunkRecord } from '../../store/batches/chunks.ts';
import { lostItems } from './inbox-lost.ts';
import { unstartedItems } from './inbox-runs.ts';
import type { RunningBatch } from '../engine/engine.ts';

/** A running batch: its record in the store, and the status of its workflow. */
type Running = Readonly<{
  record: BatchRecord;
  state: BatchState | undefined;
  /** null: no worker answers. */
  status: BatchStatus | null;
}>;

/** Batches whose status is queried at once. */
const ASKED_AT_ONCE = 10;

/** Everything that waits for a person, the oldest first. Throws TEMPORAL_UNREACHABLE. */
export async function readInbox(sources: Sources, nowMs: number): Promise<InboxItem[]> {
  const engine = await sources.engine();
  const running = [...(await engine.running())];
  const items = [
    ...(await lostItems(sources, new Set(running.map(([batchId]) => batchId)))),
    ...(await unstartedItems(sources.store, nowMs)),
  ];
  for (let first = 0; first < running.length; first += ASKED_AT_ONCE) {
    const some = running.slice(first, first + ASKED_AT_ONCE);
    const found = await Promise.all(some.map((one) => itemsOf(sources, one, nowMs)));
    items.push(...found.flat());
  }
  return items.sort((a, b) => ((a.since ?? '') < (b.since ?? '') ? -1 : 1));
}

async function itemsOf(
  sources: Sources,
  [batchId, { state: shown }]: readonly [string, RunningBatch],
  nowMs: number,
): Promise<InboxItem[]> {
  const record = await sources.store.batches.find(batchId);
  if (record === undefined || record.endState !== null) return [];
  const status = (await (await sources.engine()).status(batchId)) ?? null;
  const batch = { record, status, state: status?.state ?? shown };
  const chunks = await sources.store.chunks.list(batchId);
  // A canceled batch ends by itself, unless a difference in its balance holds it.
  const isOver = isStopped(batch) && !waitsForPerson(status?.holds ?? [], true);
  return [
    ...(isOver ? [] : await approvalItems(sources, batch, nowMs)),
    ...(isOver ? [] : holdItems(batch)),
    ...operatorItems(batch, chunks),
    ...confirmationItems(batch, chunks),
    ...fundsItems(batch),
  ];
}

const isStopped = ({ record, status }: Running): boolean =>
  record.canceled !== null || (status?.canceledBy ?? null) !== null;

/** The store decides who may still approve, so no worker is needed. */
async function approvalItems(
  { store }: Sources,
  batch: Running,
  nowMs: number,
): Promise<InboxItem[]> {
  const { record, status, state } = batch;
  const waits = status === null ? state === 'AWAITING_APPROVAL' : Boolean(status.approval);
  const hold = askedHoldOf(status?.holds ?? [], isStopped(batch));
  const question = questionOfBatch(record, hold);
  if (!waits || question === null) return [];
  const given = (await store.approvals.list(record.batchId)).map(({ approval }) => approval);
  const { mayApprove, missing, gaps } = standingOf(question, given, nowMs);
  const isHeld = question.subject !== record.digest && hold !== null;
  // Enough people approved, and the batch waits for something else. Another approval would have no effect.
  if (missing.length === 0 && !isHeld) return [];
  return [
    item(batch, {
      kind: isHeld ? 'HOLD' : 'APPROVAL',
      waitsFor: mayApprove,
      missing: [
        ...(isHeld ? [holdText(hold)] : []),
        ...missing,
        ...storedStatements(question, given, nowMs).flatMap(doubtText),
      ],
      gaps,
      command: `bursar approve ${record.batchId} --key FILE`,
      ...(isHeld ? { since: hold.since, hold: inboxHold(hold) } : {}),
    }),
  ];
}

/** Approvals in the name of a person who did not give them: another program has written to the store. */
const doubtText = ({
  approval: { person, issuedAt },
  isGenuine,
  why,
}: StoredStatement): string[] =>
  isGenuine ? [] : [`NOT GENUINE, in the name of ${person}, ${issuedAt}: ${why ?? ''}`];

/** Holds that no approval ends: a pause, or a hold of a batch that needs none. */
function holdItems(batch: Running): InboxItem[] {
  const { record, status } = batch;
  return (status?.holds ?? [])
    .filter(({ kind }) => kind === 'PAUSE' || !status?.approval)
    .filter(({ kind }) => kind === 'BALANCE' || !isStopped(batch))
    .map((hold) => {
      const missing = [holdText(hold)];
      const command = `bursar resume ${record.batchId} --hold ${hold.n} --reason TEXT`;
      const { since } = hold;
      return item(batch, {
        ...OF_OPERATOR,
        kind: 'HOLD',
        missing,
        command,
        since,
        hold: inboxHold(hold),
      });
    });
}

const inboxHold = ({ kind, reason, by }: Hold): InboxHold => ({ kind, reason, by });

/** A need that any operator meets, without an approval. */
const OF_OPERATOR = { waitsFor: [], gaps: [] } as const;

const holdText = ({ kind, reason, by }: Hold): string =>
  `${kind === 'PAUSE' ? 'paused' : codeInSentence(kind)} by ${by}: ${reason}`;

function operatorItems(batch: Running, chunks: readonly ChunkRecord[]): InboxItem[] {
  const { batchId } = batch.record;
  const waiting = chunks.filter(({ state }) => state === 'NEEDS_OPERATOR');
  if (waiting.length === 0) return [];
  const sinceMs = Math.min(...waiting.map(({ attentionSinceMs }) => attentionSinceMs ?? 0));
  return [
    item(batch, {
      ...OF_OPERATOR,
      kind: 'OPERATOR',
      missing: waiting.map(
        ({ chunk, attentionReason }) => `an answer for chunk ${chunk} (${attentionReason ?? ''})`,
      ),
      command: `bursar status ${batchId}`,
      since: new Date(sinceMs).toISOString(),
    }),
  ];
}

/** Mass payouts that are named one by one. */
const CONFIRMATIONS_NAMED_MAX = 10;

/**
 * A person confirms a mass payout at the service, whose API has no operation for that. Spec: "States and transitions".
 */
function confirmationItems(batch: Running, chunks: readonly ChunkRecord[]): InboxItem[] {
  const waiting = openChunks(chunks).filter((one) => shownState(one) === 'PENDING_CONFIRMATION');
  if (waiting.length === 0) return [];
  const since = waiting.map(({ stateSinceMs }) => stateSinceMs).filter((ms) => ms !== null);
  const more = waiting.length - CONFIRMATIONS_NAMED_MAX;
  return [
    item(batch, {
      ...OF_OPERATOR,
      kind: 'CONFIRMATION',
      missing: [
        ...waiting
          .slice(0, CONFIRMATIONS_NAMED_MAX)
          .map(
            ({ massPayoutId, total, currency }) =>
              `mass payout ${massPayoutId ?? ''}, ${moneyText(total, currency)}`,
          ),
        ...(more > 0 ? [`and ${withCommas(more)} more`] : []),
      ],
      command: "confirm or decline in the service's own interface",
      ...(since.length === 0 ? {} : { since: new Date(Math.min(...since)).toISOString() }),
    }),
  ];
}

function fundsItems(batch: Running): InboxItem[] {
  const { status, state } = batch;
  if (state !== 'AWAITING_FUNDS') return [];
  const missing = [status?.note ?? 'a top-up of the account'];
  const until = status?.fundsUntil;
  const need = { ...OF_OPERATOR, kind: 'FUNDS', missing, command: 'bursar funds' } as const;
  return [item(batch, { ...need, ...(until === undefined ? {} : { until }) })];
}

const item = ({ record, status }: Running, peculiar: InboxNeed & Partial<InboxItem>): InboxItem => {
  const options = JSON.parse(record.optionsJson) as Partial<BatchOptions>;
  return {
    batchId: record.batchId,
    since: status?.since ?? null,
    due: options.at ?? options.executionDate ?? null,
    submittedBy: record.submittedBy,
    totals: (record.summary?.currencies ?? []).map(({ currency, total }) => ({ currency, total })),
    ...peculiar,
  };
};
