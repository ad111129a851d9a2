import { liftableHolds, resumeBatch } from '../../app/batches/acts.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { type Hold, holdText } from '../../domain/holds/hold.ts';
import type { LiftableHold, ResumeResult } from '../../operations/acts/resume.ts';
import { actingPerson, type KeyFlag, signAct } from '../../operations/approval/submitter.ts';
import { loadSettings } from '../../operations/batch/sources.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { readCount } from '../../operations/input/lists.ts';
import type { Context } from '../context.ts';
import { perform } from '../perform.ts';
import { openHoldText } from '../print/batch-text.ts';
import { printResult } from '../print/output.ts';
import { printable } from '../terminal/printable.ts';
import { type ActFlags, readAct } from './stop-batch.ts';

type ResumeFlags = ActFlags & KeyFlag & Readonly<{ hold?: string }>;

/** `bursar resume BATCH`: lifts one hold, of a person or of a rule, and never one that the person has not read. */
export async function resume(flags: ResumeFlags, context: Context): Promise<number> {
  const act = readAct(flags);
  const n = flags.hold === undefined ? undefined : readCount('--hold', flags.hold);
  const { holds } = await perform(liftableHolds, act, context);
  const choices = holds.filter(({ isChoice }) => isChoice);
  const chosen = n === undefined ? await chooseHold(choices, context) : { n };
  const lifted =
    chosen === undefined ? onlyOf(choices) : holds.find(({ hold }) => hold.n === chosen.n);
  const approval = await signLift(lifted, { flags, reason: act.reason }, context);
  const choice = chosen === undefined ? {} : { hold: chosen.n };
  const result = await perform(resumeBatch, { ...act, ...choice, ...approval }, context);
  printResult(context, { json: result, text: resumeText(result) });
  return EXIT.done;
}

const onlyOf = ([only, ...more]: readonly LiftableHold[]): LiftableHold | undefined =>
  more.length === 0 ? only : undefined;

/** The hold that a person at the terminal chooses. Where nobody can be asked, the operation refuses a choice. */
async function chooseHold(
  holds: readonly LiftableHold[],
  context: Context,
): Promise<Hold | undefined> {
  if (holds.length === 0 || !context.mayAsk) return undefined;
  const { ask, say } = context;
  for (const { hold } of holds) say(openHoldText(hold, context));
  const [only] = holds.length === 1 ? holds : [];
  const which = only === undefined ? 'the number of the hold to lift' : only.hold.n;
  const wish = only === undefined ? '' : ' to lift it';
  const typed = await ask(`\nType ${which}${wish}, or press Enter to stop: `);
  if (typed === undefined || typed === '') throw new BursarError('PERSON_SAID_NO', {});
  const meant = holds.find(({ hold }) => String(hold.n) === typed);
  if (meant === undefined) throw flagInvalid('--hold', `"${typed}" is none of these holds`);
  return meant.hold;
}

/** Signs that a hold is lifted, where there is a key. Throws APPROVER_UNKNOWN. */
async function signLift(
  lifted: LiftableHold | undefined,
  { flags, reason }: Readonly<{ flags: ResumeFlags; reason: string }>,
  context: Context,
) {
  if (lifted === undefined || lifted.question === null) return {};
  const { question } = lifted;
  const settings = await loadSettings(context);
  const person = await actingPerson(flags, question.policy, { settings, context });
  return { approval: signAct(person, question, { reason, nowMs: context.clock.nowMs() }) };
}

function resumeText({ batchId, hold, missing, stays }: ResumeResult): string {
  if (hold !== null && missing.length > 0) {
    return (
      `Your approval of hold ${printable(holdText(hold))} is stored. ` +
      `Batch ${batchId} stays on hold. Still needed: ${missing.map(printable).join('; ')}.`
    );
  }
  const follow = `Follow it with: bursar watch ${batchId}`;
  if (hold === null) return `Batch ${batchId} continues, unless it has another hold.\n${follow}`;
  const off = `Hold ${printable(holdText(hold))} is lifted.`;
  const others = stays.map((one) => printable(holdText(one))).join(', ');
  return stays.length === 0
    ? `${off} Batch ${batchId} continues.\n${follow}`
    : `${off} Batch ${batchId} is still on hold: ${others}.\n${follow}`;
}
