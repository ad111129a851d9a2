import { isObject } from '../domain/json/is-object.ts';
import { HOLD_KINDS, type Hold, type HoldRef } from '../domain/holds/hold.ts';
import type { Act, Hint, Resume } from './messages.ts';
import type { PartitionProgress } from './partition.ts';
import { type CheckStore, STORE_TROUBLES } from './store.ts';

/*
 * Any client of Temporal can send a message of any form. A workflow refuses or drops one that it cannot read. Without that,
 * an update `resume` that carries null is accepted, its handler throws at each try, and no step of the batch ends again.
 */

const areTexts = (...given: readonly unknown[]): boolean =>
  given.every((one) => typeof one === 'string');

const areIntegers = (given: unknown): given is number[] =>
  Array.isArray(given) && given.every(Number.isSafeInteger);

export const isAct = (given: unknown): given is Act =>
  isObject(given) && areTexts(given['by'], given['reason']);

/** The approval is read where it is verified. */
export const isResume = (given: unknown): given is Resume =>
  isObject(given) && isHoldRefOrMissing(given['hold']) && isAct(given);

const isHoldRefOrMissing = (given: unknown): given is HoldRef | undefined =>
  given === undefined || (isObject(given) && Number.isSafeInteger(given['n']));

export const isHint = (given: unknown): given is Hint =>
  isObject(given) && areIntegers(given['chunks']);

/** A note is one about a store that a worker lacks. */
export const isCheckStore = (given: unknown): given is CheckStore =>
  isObject(given) && (given['note'] === undefined || isStoreTrouble(given['note']));

const isStoreTrouble = (given: unknown): boolean =>
  isObject(given) &&
  STORE_TROUBLES.some((code) => code === given['code']) &&
  areTexts(given['what'], given['why'], given['fix']);

/** A missing `halt` stops nothing: only a partition that names its reason does. */
export const isProgress = (given: unknown): given is PartitionProgress =>
  isObject(given) &&
  Number.isSafeInteger(given['partition']) &&
  typeof given['sent'] === 'boolean' &&
  (given['halt'] === null || typeof given['halt'] === 'string') &&
  areIntegers(given['needsOperator']) &&
  (given['hold'] === undefined || isHold(given['hold'])) &&
  (given['verifying'] === undefined || isVerificationProgress(given['verifying']));

const isVerificationProgress = (given: unknown): boolean =>
  isObject(given) && areIntegers([given['verified'], given['total']]);

const isHold = (given: unknown): given is Hold =>
  isObject(given) &&
  Number.isSafeInteger(given['n']) &&
  HOLD_KINDS.some((kind) => kind === given['kind']) &&
  areTexts(given['reason'], given['by'], given['since']) &&
  isObject(given['facts']) &&
  areTexts(...Object.values(given['facts']));
