import type { Claim, ClaimInput, Claims, Demand } from '../../contract/schedule.ts';
import type { ScheduleDefinition } from '../../contract/schedule.ts';
import { unsignedActor } from '../../domain/approval/people.ts';
import { type SignedAct, signedAct } from '../../domain/approval/signed-act.ts';
import { readApproval } from '../../domain/approval/statement.ts';
import { demandSubject, submitterIn } from '../../domain/approval/submission.ts';
import type { AuditEntry } from '../../domain/audit/chain.ts';
import {
  BursarError,
  type ErrorNote,
  isBursarError,
  noteOf,
} from '../../domain/errors/bursar-error.ts';
import {
  type RunClaimDecision,
  decideClaim,
  type RunRecord,
} from '../../domain/schedule/run-state.ts';
import { runsStartingAt } from '../../domain/schedule/runs.ts';
import type { Run } from '../../domain/schedule/timing.ts';
import { isoOf } from '../../domain/schedule/zone.ts';
import type { ScheduleDeps } from './deps.ts';
import { findSchedule, type FoundSchedule, runNamed } from './find-schedule.ts';
import { missedNews, missedNote, runEntry, scheduleActor } from './run-events.ts';

/** The claimant: the workflow by its id, and the id of its execution. */
export type Claimant = Readonly<{ workflowId: string; runId: string }>;

/**
 * Takes the present runs, or the demanded one, for a workflow. Throws SCHEDULE_NOT_FOUND, SCHEDULE_DELETED,
 * SCHEDULE_RUN_UNKNOWN and SCHEDULE_RUN_EARLY; every refusal is in the audit log.
 */
export async function claimRuns(
  deps: ScheduleDeps,
  input: ClaimInput,
  claimant: Claimant,
): Promise<Claims> {
  try {
    const found = await findSchedule(deps, input.scheduleId);
    const runs = runsOf(found.definition, input);
    const claims: Claim[] = [];
    for (const run of runs) {
      claims.push(await claimRun(deps, { found, run, demand: input.demand }, claimant));
    }
    return { kind: 'claims', claims };
  } catch (error) {
    if (isBursarError(error)) await noteRefusal(deps, input, error);
    throw error;
  }
}

function runsOf(definition: ScheduleDefinition, { startAt, demand }: ClaimInput): Run[] {
  if (demand !== null) return [runNamed(definition, demand.nominal)];
  const runs = startAt === null ? [] : runsStartingAt(definition, Date.parse(startAt));
  if (runs.length > 0) return runs;
  const { scheduleId } = definition;
  throw new BursarError('SCHEDULE_RUN_UNKNOWN', { scheduleId, time: startAt ?? 'no time' });
}

type Wish = Readonly<{ found: FoundSchedule; run: Run; demand: Demand | null }>;

async function claimRun(deps: ScheduleDeps, wish: Wish, claimant: Claimant): Promise<Claim> {
  const { found, run, demand } = wish;
  const { scheduleId } = found.definition;
  const { nominal, dueAtMs, startAtMs, latestStartMs } = run;
  const atMs = deps.nowMs();
  const decision = await deps.store.scheduleRuns.claim(
    { scheduleId, nominal, dueAtMs, claimant: claimant.workflowId, atMs },
    (record) => {
      const decided = decideClaim({
        run,
        record,
        isByHand: demand !== null,
        nowMs: atMs,
        pausedNote: found.record.paused?.note ?? null,
        claimant: claimant.workflowId,
      });
      return { decision: decided, audit: entryOf(deps, wish, { decision: decided, atMs }) };
    },
  );
  if (decision.kind === 'early') {
    await deps.timetables.renewIds(scheduleId, claimant.runId);
    throw new BursarError('SCHEDULE_RUN_EARLY', { scheduleId, nominal, begins: isoOf(startAtMs) });
  }
  const about = { nominal, dueAt: isoOf(dueAtMs) };
  const missed = missedReason(decision);
  if (missed !== undefined && demand === null) {
    await deps.notify(missedNews({ ...found, run }, missed));
    return { ...about, kind: 'missed', error: missedNote({ ...found, run }, missed) };
  }
  if (decision.kind === 'taken' && demand !== null) {
    const error = takenNote(scheduleId, decision.record);
    return { ...about, kind: 'left', why: whyLeft(decision), error };
  }
  if (decision.kind !== 'claim') return { ...about, kind: 'left', why: whyLeft(decision) };
  return { ...about, kind: 'claimed', latestStart: demand === null ? isoOf(latestStartMs) : null };
}

/** Why a run is missed, now or by an earlier decision; undefined when it is not. */
function missedReason(decision: RunClaimDecision): string | undefined {
  if (decision.kind === 'miss') return decision.reason;
  const wasMissed = decision.kind === 'taken' && decision.record.state === 'MISSED';
  return wasMissed ? decision.record.detail : undefined;
}

const whyLeft = (decision: Exclude<RunClaimDecision, { kind: 'claim' | 'early' }>): string =>
  decision.kind === 'taken'
    ? `it is ${decision.record.state} already: ${decision.record.detail}`
    : decision.reason;

const takenNote = (scheduleId: string, { nominal, state, batchId }: RunRecord): ErrorNote =>
  noteOf('SCHEDULE_RUN_TAKEN', { scheduleId, nominal, state, batchId });

/**
 * The actor of a demanded run for the audit log, and the reason. Under a policy a name without a mark needs the signed
 * submit of that run, and the reason is the signed one: a caller can give any name and any words.
 */
function demandAct({ policy }: ScheduleDeps, { record }: FoundSchedule, demand: Demand): SignedAct {
  const { by, nominal, reason, submission } = demand;
  if (policy === null) return { actor: by, reason };
  const statement = readApproval(submission);
  const isSigned =
    typeof statement !== 'string' &&
    submitterIn(policy, [demandSubject(record, nominal)], [statement]) !== undefined;
  return isSigned ? signedAct([statement]) : { actor: unsignedActor(policy, by), reason };
}

/** The actor of a refused demand. One signed demand can be sent again any number of times, so that it proves no name here. */
const refusedActor = (
  { policy }: ScheduleDeps,
  { scheduleId, demand }: Pick<ClaimInput, 'scheduleId' | 'demand'>,
): string => (demand === null ? scheduleActor(scheduleId) : unsignedActor(policy, demand.by));

type Decided = Readonly<{ decision: RunClaimDecision; atMs: number }>;

/** The decisions of people, refused demands, and missed runs; a run that began as it should has no entry. */
function entryOf(
  deps: ScheduleDeps,
  { found, run, demand }: Wish,
  { decision, atMs }: Decided,
): AuditEntry | undefined {
  const about = { ...found, run };
  const actor = refusedActor(deps, { scheduleId: found.definition.scheduleId, demand });
  if (decision.kind === 'miss') {
    const detail = { reason: decision.reason };
    return runEntry(about, { atMs, actor, action: 'schedule-run-missed', detail });
  }
  if (demand === null || decision.kind === 'early') return undefined;
  if (decision.kind === 'claim') {
    const { actor: by, reason } = demandAct(deps, found, demand);
    return runEntry(about, { atMs, actor: by, action: 'schedule-run', detail: { reason } });
  }
  const detail = { reason: demand.reason, why: whyLeft(decision) };
  return runEntry(about, { atMs, actor, action: 'schedule-run-refused', detail });
}

async function noteRefusal(
  deps: ScheduleDeps,
  { scheduleId, startAt, demand }: ClaimInput,
  error: BursarError,
): Promise<void> {
  await deps.store.audit.append({
    atMs: deps.nowMs(),
    batchId: null,
    actor: refusedActor(deps, { scheduleId, demand }),
    action: 'schedule-run-refused',
    detail: { scheduleId, run: demand?.nominal ?? startAt, code: error.code },
  });
}
