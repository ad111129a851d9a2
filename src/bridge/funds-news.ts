import { FUNDING_EVENT_PREFIXES, FUNDING_EVENT_TYPES } from '@bursar/merchant-api/spec';

/** A name of an event type, at the begin of a word. Only capitals: field names such as `wallet_id` are none. */
const FUNDING_EVENT = new RegExp(
  `(?<![A-Z0-9_])(?:(?:${FUNDING_EVENT_PREFIXES.join('|')})[A-Z]|(?:${FUNDING_EVENT_TYPES.join('|')})(?![A-Z0-9_]))`,
);

/** Whether a webhook tells, by the type of its event, of money that may have come in. A hint, as all of it. */
export const tellsOfMoney = (body: Buffer): boolean => FUNDING_EVENT.test(body.toString('latin1'));

/** Whether a webhook names the account, in whatever letters. */
export const namesAccount = (body: Buffer, account: string | undefined): boolean =>
  account !== undefined &&
  account !== '' &&
  body.toString('latin1').toLowerCase().includes(account.toLowerCase());
