import { FUNDING_EVENT_PREFIXES, FUNDING_EVENT_TYPES } from '@bursar/merchant-api/spec';

/**
 * Matches an event type about money. Only capitals match, so a field such as `wallet_id` does not.
 */
const FUNDING_EVENT = new RegExp(
  `(?<![A-Z0-9_])(?:(?:${FUNDING_EVENT_PREFIXES.join('|')})[A-Z]|(?:${FUNDING_EVENT_TYPES.join('|')})(?![A-Z0-9_]))`,
);

/** Whether a webhook holds an event type of money that may have arrived. */
export const namesFundingEvent = (body: Buffer): boolean =>
  FUNDING_EVENT.test(body.toString('latin1'));

/** Whether a webhook holds the account's id, in upper or lower case. */
export const namesAccount = (body: Buffer, account: string | undefined): boolean =>
  account !== undefined &&
  account !== '' &&
  body.toString('latin1').toLowerCase().includes(account.toLowerCase());
