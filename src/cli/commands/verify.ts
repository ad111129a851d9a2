import { resolve } from 'node:path';
import type {
  QuotedMark,
  Verification,
  VerificationResult,
} from '../../domain/audit/verification.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { verifyBatch } from '../../app/batches/proof.ts';
import { verifyBatch as verifyHere } from '../../operations/report/verify.ts';
import type { Context } from '../context.ts';
import { readBatchId } from '../../domain/batch/batch-id.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { perform } from '../perform.ts';
import { printResult } from '../print/output.ts';
import { counted, withCommas } from '../../domain/text/counted.ts';
import { errorText } from '../print/error.ts';
import { verifyArchive } from './verify-archive.ts';

type VerifyFlags = Readonly<{
  batch: string;
  /** Folder of the report; by default where Bursar writes it. */
  report?: string;
  head?: string;
  /** Where `bursar archive` wrote it; then no store is opened. */
  archive?: string;
}>;

/** `bursar verify BATCH`: whether everything is as it was stored. Needs neither Temporal nor the service. */
export async function verify(flags: VerifyFlags, context: Context): Promise<number> {
  const batchId = readBatchId(flags.batch);
  const head = flags.head === undefined ? null : readHead(flags.head);
  if (flags.archive !== undefined) {
    return verifyArchive({ batchId, place: flags.archive, head }, context);
  }
  const wish = { batchId, ...(head === null ? {} : { head }) };
  const found =
    flags.report === undefined
      ? await perform(verifyBatch, wish, context)
      : await verifyHere({ ...wish, folder: resolve(context.cwd, flags.report) }, context);
  if (found.reportFault !== null) context.say(errorText(found.reportFault, context));
  printResult(context, { json: found, text: verificationText(found, context) });
  return SOUND.includes(found.result) ? EXIT.done : EXIT.tampered;
}

/** Reads an entry of the log as the report, `audit` and `verify` print it. Throws FLAG_INVALID. */
function readHead(text: string): QuotedMark {
  const [, entries = '', hash = ''] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text.trim()) ?? [];
  if (entries === '') throw flagInvalid('--head', `"${text}" is not NUMBER:HASH of an entry`);
  return { source: '--head', entries: Number(entries), hash: hash.toLowerCase() };
}

const SOUND: readonly VerificationResult[] = ['PROVEN', 'PRUNED', 'OLDER'];

const SAID: Readonly<Record<VerificationResult, string>> = {
  PROVEN: 'everything is as it was stored',
  PRUNED: 'its rows were removed, and their digests are stored; the rest is as it was stored',
  TAMPERED: 'something is not as it was stored',
  OLDER: 'no fault, as far as the audit log covers it',
  NOT_APPROVED: 'it continued without a required approval',
};

/** The result of `verify` for a whole batch, for people. */
function verificationText(found: Verification, context: Context): string {
  const { batchId, result, checked, quoted, unchecked, head } = found;
  const width = Math.max(...checked.map(({ count }) => withCommas(count).length), 1);
  return [
    `Batch ${batchId}: ${result.replace('_', ' ')}, ${SAID[result]}.`,
    ...checked.map(({ what, count }) => `  ${withCommas(count).padStart(width)}  ${what}`),
    ...quoted.map(
      ({ source, entries }) => `Compared with the log: entry ${entries}, of ${source}.`,
    ),
    ...unchecked.map((sentence) => `Not checked: ${sentence}`),
    ...problemLines(found, context),
    `The end of the log, to be kept elsewhere: ${head.entries}:${head.hash}`,
  ].join('\n');
}

function problemLines({ problems, problemCount }: Verification, context: Context): string[] {
  const more = problemCount - problems.length;
  return [
    ...problems.map((note) => errorText(note, context)),
    ...(more > 0 ? [`${counted(more, 'more problem')}.`] : []),
  ];
}
