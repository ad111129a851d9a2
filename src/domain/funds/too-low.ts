import { Temporal } from 'temporal-polyfill';
import { type ErrorNote, noteOf } from '../errors/bursar-error.ts';
import { withCommas } from '../text/counted.ts';
import { amountText, moneyText } from '../text/money-text.ts';
import type { ClaimStage } from './claim.ts';
import type { Holder, Shortfall, SomeShortfalls } from './decide-funds.ts';

/** Holders that a sentence names; the others are counted. */
const HOLDERS_NAMED_MAX = 3;

/** Why a batch may not pay now, with who holds the money that it lacks. */
export function fundsTooLow([first, ...more]: SomeShortfalls): ErrorNote {
  return noteOf('FUNDS_TOO_LOW', {
    ...first,
    holders: holdersText(first),
    also: more.map(({ short, currency }) => moneyText(short, currency)).join(', '),
  });
}

/** The error of a batch that waited for a top-up until `untilMs`, milliseconds since 1970, in vain. */
export const fundsTooLate = (tooLow: ErrorNote, untilMs: number): ErrorNote => ({
  ...tooLow,
  what: `${tooLow.what} It waited for a top-up until ${instantText(untilMs)}, in vain.`,
  fix: 'Top up the account ("bursar funds" shows who holds what); then submit under another --id, and let --funds wait last longer.',
});

function holdersText({ holders, currency }: Shortfall): string {
  const named = holders.slice(0, HOLDERS_NAMED_MAX).map((one) => holderText(one, currency));
  const rest = holders.length - named.length;
  return [...named, ...(rest > 0 ? [`and ${withCommas(rest)} more`] : [])].join(', ');
}

const holderText = ({ batchId, amount, stage, dueAtMs }: Holder, currency: string): string =>
  `${amountText(amount, currency)} for ${batchId}, ${STAGES[stage]}${stage === 'SCHEDULED' ? ` ${instantText(dueAtMs)}` : ''}`;

/** ISO 8601 in UTC, which the command line shows in the person's zone. */
const instantText = (atMs: number | null): string =>
  Temporal.Instant.fromEpochMilliseconds(atMs ?? 0).toString();

const STAGES: Readonly<Record<ClaimStage, string>> = {
  GRANTED: 'which pays',
  ASKING: 'which asked first',
  WAITING: 'which waits and asked first',
  SCHEDULED: 'which is scheduled for',
  PLANNED: 'which was planned first',
};
