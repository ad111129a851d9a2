import type { BatchRecord } from '../../store/batches/types.ts';
import { cancellationSignal, log } from '@temporalio/activity';
import type { PlanInput, Planned } from '../../contract/activities.ts';
import { type BatchInput, readBatchOptions } from '../../contract/batch.ts';
import type { AuditEntry } from '../../domain/audit/chain.ts';
import { BursarError, isBursarError } from '../../domain/errors/bursar-error.ts';
import { digestOf, planFacts } from '../../domain/plan/digest.ts';
import { confirmedFindings } from '../../domain/plan/expected-plan.ts';
import { openFindings } from '../../domain/plan/finding.ts';
import { problemsOfFile, problemsOfFindings } from '../../domain/plan/judge-file.ts';
import { type HouseRules, NOTHING_RAISED } from '../../domain/plan/rules.ts';
import type { IngestSummary } from '../../domain/rows/staging.ts';
import { externalIdOf, idempotencyKeyOf } from '../../domain/sending/identity.ts';
import { readPayeeBook, readPlanFindings, type PlanFindings } from '../../ingest/index.ts';
import type { BatchPlan } from '../../store/batches/batches.ts';
import { payTimeMs } from '../../store/rows/pay-time.ts';
import type { ChunkHead } from '../../store/rows/staging.ts';
import type { PastBatch } from '../../store/rows/fingerprints.ts';
import type { Store } from '../../store/index.ts';
import { listOwnWallets } from './own-wallets.ts';
import {
  adoptFirst,
  beginningOf,
  noteNew,
  noticeOlderStore,
  refusingOnlyNew,
} from '../recheck/restored-store.ts';
import type { Service } from '../service/service.ts';
import { provenSubmitter } from '../ingest/submission.ts';

export type PlanDeps = Readonly<{
  store: Store;
  service: Service;
  /** The house rules of this worker's settings. */
  rules: HouseRules;
  nowMs(): number;
}>;

type ReadBatch = BatchRecord & Readonly<{ ingestId: string; summary: IngestSummary }>;

/** Freezes the payments: chunks, keys, findings, rules, digest. Made again, it is the same plan. */
export async function planBatch(deps: PlanDeps, input: PlanInput): Promise<Planned> {
  const { store } = deps;
  const { batchId } = input;
  const batch = await readBatch(store, batchId);
  return planAsSubmitted(deps, { ...input, options: readBatchOptions(batch.optionsJson) }, batch);
}

/** `input` has the options that the submitter signed. Those of a caller could accept findings in the name of the submitter. */
async function planAsSubmitted(
  deps: PlanDeps,
  input: PlanInput,
  batch: ReadBatch,
): Promise<Planned> {
  const { store } = deps;
  const { batchId } = input;
  const heads = await store.staging.heads(batch.ingestId);
  const beginning = await beginningOf(deps, batch);
  if (beginning.kind === 'new') await noteNew(deps, batchId);
  // A batch that has begun to pay was planned and accepted before, even if a restored store lacks that.
  const mayRefuse = beginning.kind === 'new' || beginning.kind === 'missed';
  const plan = await refusingOnlyNew(deps, batch, async () => {
    if (mayRefuse) refuseFile(batch, input);
    const planned = await planOnce(deps, { batch, input, heads, mayRefuse });
    if (mayRefuse) refuseOpenFindings(planned, input);
    return planned;
  });
  await store.chunks.plan(batchId, planChunks(batch, heads));
  if (beginning.kind === 'begun') await adoptFirst(deps, batch, beginning.payout);
  const written = await store.chunks.list(batchId);
  const asked = { ...batch, plannedBefore: batch.digest !== null };
  const isNoticed = input.hasAsked !== true && (await noticeOlderStore(deps, asked, written));
  if (isNoticed) return planBatch(deps, input);
  const begun = beginning.kind === 'begun' || written.some(({ state }) => state !== 'PLANNED');
  const restored = (await store.restores.progress(batchId)) !== null;
  const { digest, partitionChunks } = plan;
  return {
    kind: 'planned',
    digest,
    chunks: heads.length,
    begun,
    restored,
    ...(partitionChunks === null ? {} : { partitionChunks }),
  };
}

function refuseFile({ summary }: ReadBatch, { options, file }: BatchInput): void {
  const names = { file: file.name, nack: 'nack.csv' };
  const [problem] = problemsOfFile({ summary, choices: options, ...names });
  if (problem !== undefined) throw problem;
}

async function readBatch(store: PlanDeps['store'], batchId: string): Promise<ReadBatch> {
  const batch = await store.batches.find(batchId);
  if (batch === undefined || batch.ingestId === null || batch.summary === null) {
    throw new BursarError('INTERNAL', { message: `batch ${batchId} was not read` });
  }
  return { ...batch, ingestId: batch.ingestId, summary: batch.summary };
}

type Job = Readonly<{
  batch: ReadBatch;
  input: PlanInput;
  heads: readonly ChunkHead[];
  /** Whether any plan but the confirmed one is refused. */
  mayRefuse: boolean;
}>;

/**
 * A stored plan stays, with any other batches that exist by now. A plan that another batch has overtaken is made again,
 * so that no row which both pay lacks a finding.
 */
async function planOnce(deps: PlanDeps, job: Job): Promise<BatchPlan> {
  const { batch, input, heads, mayRefuse } = job;
  const { summary, digest, partitionChunks } = batch;
  if (digest !== null) {
    return { digest, findings: batch.findings, rules: batch.rules, partitionChunks };
  }
  const rules = rulesOf(deps.rules, summary);
  const submitter = await provenSubmitter(deps, { ...batch, digest: UNPLANNED, rules });
  const others = await deps.store.history.others(batch);
  const findingsWith = await judge(deps, { ...job, others }, rules);
  const judged = new Set(others.map(({ batchId }) => batchId));
  const plan = await deps.store.batches.planOnce({ ...batch, ...summary }, (earlier, known) => {
    // Another batch was planned meanwhile: its rows count against this one.
    if (known.some((batchId) => !judged.has(batchId))) return undefined;
    const { options } = input;
    const present = findingsWith(earlier);
    const facts = planFacts({ batch, summary, options, findings: present, rules, chunks: heads });
    const findings = mayRefuse ? confirmedFindings(seenPlan(input), facts) : present;
    const made = {
      findings,
      digest: digestOf({ ...facts, findings }),
      rules,
      partitionChunks: input.partitionChunks ?? null,
    };
    return { ...made, audit: submitEntry(job, made, { actor: submitter, atMs: deps.nowMs() }) };
  });
  return plan ?? planOnce(deps, job);
}

/** The plan that a person confirmed, with its notes; null: none was. */
const seenPlan = ({ options: { expectedDigest }, seenNotes: notes = [] }: BatchInput) =>
  expectedDigest && { ...expectedDigest, notes };

/** Stands for the digest while a plan is being made: only the totals decide whether it needs approvals. */
const UNPLANNED = '';

/** Who wants what paid, and what of it they had seen: written with the plan, and so once. */
function submitEntry(
  { batch, input }: Job,
  plan: BatchPlan,
  { actor, atMs }: Pick<AuditEntry, 'actor' | 'atMs'>,
): AuditEntry {
  const { batchId, generation, summary } = batch;
  const detail = {
    digest: plan.digest,
    generation,
    rows: summary.rows,
    refusedRows: summary.refusedRows,
    file: { name: batch.fileName, sha256: summary.fileSha256 },
    totals: summary.currencies.map(({ currency, total }) => `${total}:${currency}`),
    findings: plan.findings.map(({ code, count }) => `${code} in ${count}`),
    accepted: [...new Set(input.options.accept)].sort(),
  };
  return { atMs, batchId, actor, action: 'submit', detail };
}

/**
 * A wallet may be seconds old, so each plan lists them. Where the service does not list them now, the stored ones are
 * used.
 */
async function ownAddresses(deps: PlanDeps, account: string): Promise<readonly string[]> {
  try {
    await listOwnWallets(deps);
  } catch (error) {
    if (!isBursarError(error)) throw error;
    log.warn('a plan is made without a fresh list of own wallets', { why: error.code });
  }
  return [account, ...(await deps.store.ownWallets.list(account))];
}

/** The rows were checked against the limits of the import, and the plan has these limits. */
const rulesOf = (rules: HouseRules, { limits }: IngestSummary): HouseRules => ({
  ...rules,
  limits: { ...rules.limits, ...limits },
});

async function judge(
  deps: PlanDeps,
  { batch, input, others }: Job & Readonly<{ others: PastBatch[] }>,
  rules: HouseRules,
): Promise<PlanFindings> {
  const { store } = deps;
  const { account, ingestId, summary, submittedAtMs } = batch;
  return readPlanFindings({
    summary,
    skipInvalid: input.options.skipInvalid,
    prints: () => store.history.own(ingestId),
    rowsAt: (numbers) => store.staging.rowsAt(ingestId, numbers),
    rules,
    stopLoss: input.options.stopLoss,
    others,
    ownAddresses: await ownAddresses(deps, account),
    payees: await readPayeeBook(() => store.payees.list(account)),
    payAtMs: payTimeMs({ ...input.options, releasedAtMs: null, submittedAtMs }),
    signal: cancellationSignal(),
  });
}

/** The plan's digest covers the findings; this checks that each one is accepted. */
function refuseOpenFindings({ findings, rules }: BatchPlan, input: BatchInput): void {
  const { batchId, options } = input;
  const raised = rules?.findings ?? NOTHING_RAISED;
  const [problem] = problemsOfFindings(findings, options.accept, raised);
  if (problem === undefined) return;
  const [again, ...more] = openFindings(findings, options.accept, raised);
  const isAllOfIt = again?.code === 'SAME_FILE_AGAIN' && more.length === 0;
  if (!isAllOfIt || problem.code === 'FINDINGS_BLOCK') throw problem;
  throw new BursarError('SAME_FILE_AGAIN', { batchId, earlier: again.examples[0]?.detail ?? '' });
}

const planChunks = (batch: BatchRecord, heads: readonly ChunkHead[]) =>
  heads.map((head) => ({
    ...head,
    idempotencyKey: idempotencyKeyOf({ ...batch, chunk: head.chunk }),
    externalId: externalIdOf({ ...batch, chunk: head.chunk }),
  }));
