import type { Operation } from '@bursar/merchant-api/spec';
import { BursarError } from '../errors/bursar-error.ts';

/** A part of an answer that the client of the service could not read. */
export type UnreadPart = Readonly<{
  /** Names of documented fields and positions, such as `errors.withdrawalErrors.3.withdrawalId`; empty: any part. */
  path: string;
  /** The problem in the client's words. It holds no text of the service. */
  problem: string;
}>;

/** The parts of a mass payout behind which the name of a withdrawal may stand. */
const NAMES = /^(?:errors(?:\.withdrawalErrors(?:\.\d+(?:\.withdrawalId)?)?)?)?$/;

/**
 * The part of a mass payout that may be about any row that no readable entry names; undefined when there is none.
 *
 * The rule for rows, each with an example:
 * - `errors`, `errors.withdrawalErrors`, `errors.withdrawalErrors.3` and `errors.withdrawalErrors.3.withdrawalId` may hide the name of
 *   any withdrawal. A row keeps its outcome only if a readable entry names its withdrawal and that was looked up. Every other row is
 *   UNKNOWN: it is not PAID, and no resend is offered.
 * - `errors.withdrawalErrors.3.errors.0.errorResolved` is about the withdrawal of entry 3 alone. Its row is not FAILED, since the problem may be
 *   resolved. The entry itself says so (`isResolutionUnreadable`).
 * - `comment` or `executionDate` is about no row.
 * - An empty path may be any of these.
 */
export const hiddenName = (parts: readonly UnreadPart[]): UnreadPart | undefined =>
  parts.find(({ path }) => NAMES.test(path));

/** The reason of a row that such a part may be about. */
export const hiddenNameReason = ({ path, problem }: UnreadPart): string =>
  path === ''
    ? 'the answer of the service has too many parts that cannot be read, and one of them may be about this row'
    : `"${path}" in the answer of the service ${problem}, so it may be about this row`;

/** Names unreadable parts for people: at most three. */
export function partsText(parts: readonly UnreadPart[]): string {
  const named = parts
    .slice(0, PARTS_NAMED_MAX)
    .map(({ path, problem }) => `${path} ${problem}`.trim());
  const more = parts.length - named.length;
  return more === 0 ? named.join(', ') : `${named.join(', ')} and ${more} more`;
}

const PARTS_NAMED_MAX = 3;

/** The error of an answer whose parts that could not be read may be the ones that count. */
export const unreadableAnswer = (
  operation: Operation,
  parts: readonly UnreadPart[],
): BursarError<'SERVICE_ANSWER_UNREADABLE'> =>
  new BursarError('SERVICE_ANSWER_UNREADABLE', {
    operation,
    status: '200',
    reason: partsText(parts),
  });
