import type { Sources } from '../batch/types.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import { type ShownRow, shownRows } from '../../report/report-rows.ts';
import { STEPS } from '../../domain/audit/actions.ts';
import type { GivenApproval } from '../../store/control/approvals.ts';
import type { ChunkRecord } from '../../store/batches/chunks.ts';
import type { Store } from '../../store/index.ts';
import type { BatchSnapshot } from '../batch/standing.ts';
import { chunkStory } from '../batch/story.ts';

/** Rows that are listed, and entries of the audit log: who helps needs the kinds of trouble, not all of it. */
const ROWS_MAX = 1_000;
const ENTRIES_MAX = 1_000;

type Asked = Readonly<{ standing: BatchSnapshot; addresses: boolean }>;

/** All facts about a batch and its payments, for a person who was not there. Nothing is redacted yet. */
export async function gatherBundle(
  { store, settings }: Sources,
  { standing, addresses }: Asked,
): Promise<object> {
  const { batchId } = standing.view;
  const record = await store.batches.find(batchId);
  const { live, isSilent, trouble } = standing;
  return {
    settings: shownSettings(settings),
    batch: { ...standing.view, workflow: { live, isSilent, trouble } },
    plan: record === undefined ? null : planOf(record),
    ...(record === undefined ? {} : await workOf(store, record, addresses)),
    audit: await auditOf(store, batchId),
  };
}

/**
 * The settings that can change how batches are paid. Only listed settings are shown, so a new setting stays out by
 * default.
 */
function shownSettings({ api, batch, poll, bridge, report, rules, watch }: Sources['settings']) {
  const { timestampWindowMs, fenceMarginMs, sendBudgetMs, requestTimeoutMs, resend } = api;
  const { limits, fees, historyDays } = rules;
  return {
    api: {
      timestampWindowMs,
      fenceMarginMs,
      sendBudgetMs,
      requestTimeoutMs,
      resend,
      endpoints: api.endpoints,
      shapes: api.shapes,
      skewMs: api.skewMs ?? null,
      requestsPerSecond: api.requestsPerSecond ?? null,
      createsInFlight: api.createsInFlight ?? null,
    },
    batch,
    poll,
    watch,
    followDays: report.followDays,
    bridge: { hasPublicUrl: bridge.publicUrl !== undefined },
    rules: { limits, fees, historyDays, approval: policyShape(rules.approval) },
  };
}

type Policy = Sources['settings']['rules']['approval'];

/** The bundle holds how many people must approve, and no names. */
const policyShape = (policy: Policy) =>
  policy === null
    ? null
    : {
        mode: policy.mode,
        expiresAfterMs: policy.expiresAfterMs,
        people: policy.people.length,
        tiers: policy.tiers,
      };

const planOf = (record: BatchRecord) => ({
  generation: record.generation,
  options: JSON.parse(record.optionsJson) as object,
  submittedAt: isoOf(record.submittedAtMs),
  releasedAt: isoOrNull(record.releasedAtMs),
  endedAt: isoOrNull(record.endedAtMs),
  file: { sizeBytes: record.summary?.sizeBytes ?? null, sha256: record.fileSha256 },
  currencies: record.summary?.currencies ?? [],
  findings: record.findings.map(({ code, count }) => ({ code, count })),
});

async function workOf(store: Store, record: BatchRecord, addresses: boolean) {
  const chunks = await store.chunks.list(record.batchId);
  const stories = [];
  for (const chunk of chunks) stories.push(await chunkStory(store, record, chunk));
  const given = await store.approvals.list(record.batchId);
  return {
    chunks: stories,
    approvals: given.map(shownApproval),
    rows: await rowsOf(store, record, { chunks, addresses }),
  };
}

const shownApproval = ({ approval, atMs }: GivenApproval) => {
  const { person, decision, subject, reason, issuedAt, expiresAt } = approval;
  return { person, decision, subject, reason, issuedAt, expiresAt, takenAt: isoOf(atMs) };
};

type RowsAsked = Readonly<{ chunks: readonly ChunkRecord[]; addresses: boolean }>;

/** The rows that were not paid. */
async function rowsOf(store: Store, record: BatchRecord, { chunks, addresses }: RowsAsked) {
  const rows: object[] = [];
  for await (const row of shownRows(store, record, chunks)) {
    if (row.outcome === 'PAID') continue;
    if (rows.length === ROWS_MAX) return { listed: rows, isWhole: false };
    rows.push(rowEntry(row, addresses));
  }
  return { listed: rows, isWhole: true };
}

const rowEntry = (row: ShownRow, addresses: boolean) => ({
  row: row.row,
  chunk: row.chunk,
  outcome: row.outcome,
  reason: row.reason,
  ...(addresses ? { address: row.address, amount: row.amount, currency: row.currency } : {}),
});

async function auditOf({ audit }: Store, batchId: string) {
  // The chunks of the bundle hold requests and answers.
  const entries = await audit.list({ batchId, without: STEPS, limit: ENTRIES_MAX });
  return entries.map(({ seq, atMs, action, detail, hash }) => ({
    seq,
    at: isoOf(atMs),
    action,
    detail,
    hash,
  }));
}

const isoOf = (ms: number): string => new Date(ms).toISOString();
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : isoOf(ms));
