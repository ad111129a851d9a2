import type { Planned } from '../contract/activities.ts';
import type { BatchInput } from '../contract/batch.ts';
import { BursarError } from '../domain/errors/bursar-error.ts';
import { digestOf, planFacts } from '../domain/plan/digest.ts';
import { refuseOtherPlan } from '../domain/plan/expected-plan.ts';
import { type Finding, openFindings } from '../domain/plan/finding.ts';
import { findingsOf, problemsOf } from '../domain/plan/judge-file.ts';
import type { HouseRules } from '../domain/plan/rules.ts';
import { sameFileFindings } from '../domain/plan/same-file.ts';
import { externalIdOf, idempotencyKeyOf } from '../domain/sending/identity.ts';
import type { BatchRecord } from '../store/batches.ts';
import type { ChunkHead } from '../store/staging.ts';
import type { Store } from '../store/store.ts';

type PlanDeps = Readonly<{
  store: Pick<Store, 'batches' | 'staging' | 'chunks'>;
  rules: HouseRules;
}>;

/** Freezes what will be paid: chunks, keys, findings, digest. Made again, it is the same plan. */
export async function planBatch({ store, rules }: PlanDeps, input: BatchInput): Promise<Planned> {
  const { options, batchId, file } = input;
  const batch = await store.batches.find(batchId);
  if (batch === undefined || batch.ingestId === null || batch.summary === null) {
    throw new BursarError('INTERNAL', { message: `batch ${batchId} was not read` });
  }
  const { summary } = batch;
  const names = { file: file.name, nack: 'nack.csv' };
  const [problem] = problemsOf({ summary, choices: options, ...names });
  if (problem !== undefined) throw problem;
  const heads = await store.staging.heads(batch.ingestId);
  const plan = await store.batches.planOnce({ ...batch, ...summary }, (earlier) => {
    const again = sameFileFindings(summary, earlier);
    const findings = [...findingsOf(summary, options.skipInvalid), ...again];
    const facts = planFacts({ batch, summary, options, findings, rules, chunks: heads });
    refuseOtherPlan(options.expectedDigest, facts);
    return { findings, digest: digestOf(facts) };
  });
  refuseOpenFindings(plan.findings, input);
  await store.chunks.plan(batchId, planChunks(batch, heads));
  const written = await store.chunks.list(batchId);
  const begun = written.some(({ state }) => state !== 'PLANNED');
  return { kind: 'planned', digest: plan.digest, chunks: heads.length, begun };
}

/** The plan's digest covers the findings; here it is settled whether somebody has accepted them. */
function refuseOpenFindings(findings: readonly Finding[], { batchId, options }: BatchInput): void {
  const open = openFindings(findings, options.accept);
  const again = open.find(({ code }) => code === 'SAME_FILE_AGAIN');
  if (again !== undefined) {
    throw new BursarError('SAME_FILE_AGAIN', { batchId, earlier: again.examples[0]?.detail ?? '' });
  }
  if (open.length === 0) return;
  const codes = open.map(({ code }) => code).join(', ');
  throw new BursarError('FINDINGS_NOT_ACCEPTED', { codes });
}

const planChunks = (batch: BatchRecord, heads: readonly ChunkHead[]) =>
  heads.map((head) => ({
    ...head,
    idempotencyKey: idempotencyKeyOf({ ...batch, chunk: head.chunk }),
    externalId: externalIdOf({ ...batch, chunk: head.chunk }),
  }));
