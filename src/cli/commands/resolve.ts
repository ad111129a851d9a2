import { answerQuestion, resolveChunk } from '../../app/batches/acts.ts';
import { readBatchId } from '../../domain/batch/batch-id.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import type { ResolveChoices, ResolveResult } from '../../operations/acts/resolve.ts';
import { actingPerson, type KeyFlag, signAct } from '../../operations/approval/submitter.ts';
import { loadSettings } from '../../operations/batch/sources.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { readReason } from '../../operations/input/reason.ts';
import type { Context } from '../context.ts';
import { perform } from '../perform.ts';
import { printResult } from '../print/output.ts';
import { printable } from '../terminal/printable.ts';

type ResolveFlags = Readonly<{
  batch: string;
  chunk: string;
  answer: string;
  /** The mass payout that `adopt` names. */
  id?: string;
  /** How many attempts `not-created` is about. */
  attempts?: string;
  reason: string;
}> &
  KeyFlag;

/** `bursar resolve BATCH CHUNK ANSWER`: an operator's answer for a chunk that waits for one. */
export async function resolve(flags: ResolveFlags, context: Context): Promise<number> {
  const answer = await signed(readAnswer(flags), flags, context);
  const result = await perform(resolveChunk, answer, context);
  printResult(context, { json: result, text: doneText(result) });
  return EXIT.done;
}

/** Signs the answer, where the plan counts signatures and there is a key. Throws APPROVAL_UNSIGNED without a key. */
async function signed(
  answer: ResolveChoices,
  flags: KeyFlag,
  context: Context,
): Promise<ResolveChoices> {
  const { question, attempts } = await perform(answerQuestion, answer, context);
  if (question === null) return answer;
  const settings = await loadSettings(context);
  const person = await actingPerson(flags, question.policy, { settings, context });
  const { reason } = answer;
  const approval = signAct(person, question, { reason, nowMs: context.clock.nowMs() });
  return { ...answer, ...(attempts === undefined ? {} : { attempts }), approval };
}

function doneText({ batchId, chunk, answer, missing }: ResolveResult): string {
  const follow = `Follow it with: bursar watch ${batchId}`;
  if (missing.length === 0) {
    return `Chunk ${chunk} of batch ${batchId} has its answer: ${answer}.\n${follow}`;
  }
  const people = missing.map(printable).join('; ');
  return `Your answer for chunk ${chunk} of batch ${batchId} is stored: ${answer}. Still needed: ${people}.\n${follow}`;
}

function readAnswer(flags: ResolveFlags): ResolveChoices {
  const { answer, id: massPayoutId } = flags;
  const batchId = readBatchId(flags.batch);
  const chunk = readNumber('CHUNK', flags.chunk, 'the number of a chunk');
  const about = { batchId, chunk, reason: readReason(flags.reason) };
  const meant = readAttempts(flags);
  if (answer === 'adopt') {
    if (massPayoutId !== undefined && massPayoutId.trim() !== '') {
      return { ...about, answer, massPayoutId };
    }
    throw flagInvalid('adopt', 'name the mass payout: adopt ID');
  }
  if (massPayoutId !== undefined) throw flagInvalid(answer, 'takes no mass payout');
  if (answer === 'not-created') return { ...about, answer, ...meant };
  if (answer === 'abandon') return { ...about, answer };
  throw flagInvalid('ANSWER', `"${answer}" is none of adopt, not-created, abandon`);
}

function readAttempts({ answer, attempts }: ResolveFlags): { attempts?: number } {
  if (attempts === undefined) return {};
  if (answer !== 'not-created') throw flagInvalid('--attempts', 'goes with not-created alone');
  return { attempts: readNumber('--attempts', attempts, 'a number of attempts') };
}

function readNumber(flag: string, text: string, what: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw flagInvalid(flag, `"${text}" is not ${what}`);
}
