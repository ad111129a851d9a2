import type { Resolve } from '../../contract/messages.ts';
import { questionOfBatch } from '../../domain/approval/question.ts';
import { noteOf } from '../../domain/errors/bursar-error.ts';
import { EXIT, exitCodeOfError } from '../../domain/errors/exit-codes.ts';
import { missingFor, signAnswer } from '../../operations/approval/sign-answer.ts';
import { actingPerson, type KeyFlag } from '../../operations/approval/submitter.ts';
import { findRecord } from '../../operations/batch/find-record.ts';
import { recordRefusal } from '../../operations/batch/on-record.ts';
import { withSources } from '../../operations/batch/sources.ts';
import type { Context } from '../context.ts';
import { readBatchId } from '../../domain/batch/batch-id.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { readReason } from '../../operations/input/reason.ts';
import { printError } from '../print/error.ts';
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
  const batchId = readBatchId(flags.batch);
  return withSources(context, async (sources) => {
    const record = await findRecord(sources, batchId);
    const { endState } = record;
    const question = questionOfBatch(record, null);
    const place = { settings: sources.settings, context };
    const person = await actingPerson(flags, question?.policy ?? null, place);
    const answer = await signAnswer(readAnswer(flags, person.name), {
      record,
      person,
      sources,
      context,
    });
    const refusal =
      endState === null
        ? await (await sources.engine()).resolve(record, answer)
        : noteOf('BATCH_ENDED', { batchId, state: endState });
    if (refusal !== null) {
      const { by: _by, approval: _approval, ...detail } = answer;
      await recordRefusal({ action: 'resolve', batchId, detail }, refusal, { sources, context });
      printError(context, refusal);
      return exitCodeOfError(refusal);
    }
    const missing = await missingFor(answer, { record, sources, context });
    const { approval: _signed, ...shown } = answer;
    printResult(context, {
      json: { schema: 'bursar.resolve/v1', batchId, ...shown, missing },
      text: doneText(batchId, answer, missing),
    });
    return EXIT.done;
  });
}

function doneText(batchId: string, { chunk, answer }: Resolve, missing: readonly string[]): string {
  const follow = `Follow it with: bursar watch ${batchId}`;
  if (missing.length === 0) {
    return `Chunk ${chunk} of batch ${batchId} has its answer: ${answer}.\n${follow}`;
  }
  const people = missing.map(printable).join('; ');
  return `Your answer for chunk ${chunk} of batch ${batchId} is stored: ${answer}. Still missing: ${people}.\n${follow}`;
}

function readAnswer(flags: ResolveFlags, by: string): Resolve {
  const { answer, id: massPayoutId } = flags;
  const chunk = readNumber('CHUNK', flags.chunk, 'the number of a chunk');
  const act = { by, reason: readReason(flags.reason), chunk };
  const meant = readAttempts(flags);
  if (answer === 'adopt') {
    if (massPayoutId !== undefined && massPayoutId.trim() !== '') {
      return { ...act, answer, massPayoutId };
    }
    throw flagInvalid('adopt', 'name the mass payout: adopt ID');
  }
  if (massPayoutId !== undefined) throw flagInvalid(answer, 'takes no mass payout');
  if (answer === 'not-created') return { ...act, answer, ...meant };
  if (answer === 'abandon') return { ...act, answer };
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
