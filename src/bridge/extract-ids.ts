import { findWebhookIds } from '@bursar/merchant-api';

/**
 * `<batchId>/<chunk>/<generation>`; see `domain/sending/identity.ts`.
 * The lookbehind makes a match start at a word. Without it, the search is quadratic in long words.
 */
const EXTERNAL_ID = /(?<![\w.-])[a-z0-9][\w.-]{0,63}\/\d{1,9}\/\d{1,9}/gi;

/**
 * Returns the strings in a webhook body that may be ids of a mass payout or a chunk. A forged id does no harm: the bridge only
 * compares ids with those in the store.
 */
export const extractIds = (body: Buffer): string[] =>
  findWebhookIds(body, { ownShape: EXTERNAL_ID });
