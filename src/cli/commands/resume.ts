import { questionOfBatch } from '../../domain/approval/question.ts';
import type { Approval } from '../../domain/approval/statement.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { type Hold, type HoldRef, holdText } from '../../domain/holds/hold.ts';
import { actingPerson, type KeyFlag, signAct } from '../../operations/approval/submitter.ts';
import { recordRefusal } from '../../operations/batch/on-record.ts';
import type { Context } from '../context.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { readCount } from '../../operations/input/lists.ts';
import { openHoldText } from '../print/batch-text.ts';
import { printable } from '../terminal/printable.ts';
import {
  type ActFlags,
  actOnBatch,
  type ActAnswer,
  type BatchAct,
  type Running,
} from './act-on-batch.ts';

type ResumeFlags = ActFlags & KeyFlag & Readonly<{ hold?: string }>;

/** `bursar resume BATCH`: lifts one hold, of a person or of a rule, and never one that the person has not read. */
export function resume(flags: ResumeFlags, context: Context): Promise<number> {
  const n = flags.hold === undefined ? undefined : readCount('--hold', flags.hold);
  const schema = 'bursar.resume/v1';
  const act: BatchAct = {
    schema,
    ask: (running) => resumeOne(running, { n, flags }, context),
    // A running batch stores its refusals itself.
    async noteRefusal(refusal, { batchId, sources, act: { reason } }) {
      if (refusal.code !== 'BATCH_ENDED') return;
      const tried = { action: 'resume', batchId, detail: { reason } } as const;
      await recordRefusal(tried, refusal, { sources, context });
    },
  };
  return actOnBatch(act, flags, context);
}

async function resumeOne(
  running: Running,
  { n, flags }: Readonly<{ n: number | undefined; flags: ResumeFlags }>,
  context: Context,
): Promise<ActAnswer> {
  const { engine, batchId, act, sources } = running;
  const open = await openHolds(running);
  const hold = await chooseHold({ running, open, n }, context);
  const approval =
    hold === undefined ? undefined : await signLift(running, { hold, flags }, context);
  const signed = approval === undefined ? {} : { approval };
  const refusal = await engine.resume(batchId, { ...act, ...nameOf(hold, n), ...signed });
  const left = open.filter((one) => one !== hold);
  const atMs = context.clock.nowMs();
  const isOn = (await sources.store.holds.open(batchId)).some((one) => one.n === hold?.n);
  const asked = isOn && hold !== undefined ? { hold, atMs } : null;
  const standing = asked === null ? null : await sources.store.approvals.standing(batchId, asked);
  const missing = standing?.missing ?? [];
  const text =
    hold !== undefined && missing.length > 0
      ? missingText(batchId, hold, missing)
      : doneText(batchId, hold, left);
  return { refusal, facts: { hold: hold ?? null, missing }, text };
}

/**
 * Signs that a hold is lifted, where the policy of the plan counts signatures. Throws APPROVAL_UNSIGNED without a key.
 */
async function signLift(
  { record, act, sources }: Running,
  { hold, flags }: Readonly<{ hold: Hold; flags: ResumeFlags }>,
  context: Context,
): Promise<Approval | undefined> {
  const question = record === undefined ? null : questionOfBatch(record, hold);
  if (question === null) return undefined;
  const { settings } = sources;
  const person = await actingPerson(flags, question.policy, { settings, context });
  return signAct(person, question, { reason: act.reason, nowMs: context.clock.nowMs() });
}

const missingText = (batchId: string, hold: Hold, missing: readonly string[]): string =>
  `Your approval of hold ${printable(holdText(hold))} is stored. ` +
  `Batch ${batchId} stays held. Still missing: ${missing.map(printable).join('; ')}.`;

/** A hold that this store lacks goes to the batch, which returns its holds. */
function nameOf(hold: Hold | undefined, n: number | undefined): Readonly<{ hold?: HoldRef }> {
  if (hold !== undefined) return { hold: { n: hold.n, since: hold.since } };
  return n === undefined ? {} : { hold: { n } };
}

/** The holds of the store. An older copy of it may lack the hold that the batch waits for. */
async function openHolds({ engine, batchId, sources }: Running): Promise<readonly Hold[]> {
  const stored = await sources.store.holds.open(batchId);
  return stored.length > 0 ? stored : ((await engine.status(batchId))?.holds ?? []);
}

type Choice = Readonly<{ running: Running; open: readonly Hold[]; n: number | undefined }>;

/**
 * The hold that a person wants to lift. Where none is found, the batch answers. Throws HOLD_UNCLEAR, PERSON_SAID_NO.
 */
async function chooseHold(
  { running, open, n }: Choice,
  context: Context,
): Promise<Hold | undefined> {
  if (n !== undefined) return open.find((one) => one.n === n);
  const { batchId, record } = running;
  // A hold that an approval lifts cannot be resumed while there is another one.
  const byApproval = record !== undefined && questionOfBatch(record, null) !== null;
  const pauses = open.filter(({ kind }) => kind === 'PAUSE');
  const choices = byApproval && pauses.length > 0 ? pauses : open;
  if (choices.length === 0) return undefined;
  if (context.mayAsk) return askWhich(choices, context);
  const [only, ...more] = choices;
  if (more.length === 0) return only;
  throw new BursarError('HOLD_UNCLEAR', { batchId, open: choices.map(holdText).join(', ') });
}

async function askWhich(choices: readonly Hold[], context: Context): Promise<Hold> {
  const { ask, say } = context;
  for (const hold of choices) say(openHoldText(hold, context));
  const [only] = choices.length === 1 ? choices : [];
  const which = only === undefined ? 'the number of the one to take off' : only.n;
  const wish = only === undefined ? '' : ' to take it off';
  const typed = await ask(`\nType ${which}${wish}, or nothing to stop: `);
  if (typed === undefined || typed === '') throw new BursarError('PERSON_SAID_NO', {});
  const meant = choices.find(({ n }) => String(n) === typed);
  if (meant === undefined) throw flagInvalid('--hold', `"${typed}" is none of these holds`);
  return meant;
}

function doneText(batchId: string, hold: Hold | undefined, left: readonly Hold[]): string {
  const follow = `Follow it with: bursar watch ${batchId}`;
  if (hold === undefined) {
    return `Batch ${batchId} goes on, unless something else holds it.\n${follow}`;
  }
  const off = `Hold ${printable(holdText(hold))} is taken off.`;
  const others = left.map((one) => printable(holdText(one))).join(', ');
  return left.length === 0
    ? `${off} Batch ${batchId} goes on.\n${follow}`
    : `${off} Batch ${batchId} is still held: ${others}.\n${follow}`;
}
