import type { Verification, VerificationResult } from '../../domain/audit/verification.ts';
import { counted, withCommas } from '../../domain/text/counted.ts';
import type { Context } from '../context.ts';
import { errorText } from './error.ts';

const SAID: Readonly<Record<VerificationResult, string>> = {
  PROVEN: 'everything is as it was stored',
  TAMPERED: 'something is not as it was stored',
  OLDER: 'nothing is wrong, as far as the audit log goes',
  NOT_APPROVED: 'it went on without an approval that its policy needs',
};

/** The result of `verify` for a whole batch, for people. */
export function verificationText(found: Verification, context: Context): string {
  const { batchId, result, checked, quoted, unchecked, head } = found;
  const width = Math.max(...checked.map(({ count }) => withCommas(count).length), 1);
  return [
    `Batch ${batchId}: ${result.replace('_', ' ')}, ${SAID[result]}.`,
    ...checked.map(({ what, count }) => `  ${withCommas(count).padStart(width)}  ${what}`),
    ...quoted.map(({ source, entries }) => `Held against the log: entry ${entries}, of ${source}.`),
    ...unchecked.map((sentence) => `Not looked at: ${sentence}`),
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
