import { isObject } from '../json/is-object.ts';
/** The key that marks a value which was not encrypted where there is a key ring. Nothing of ours has such a key. */
const MARK = 'bursar:inClear';

/** A value that came in clear. `refused`: it must have no effect, since encryption is required. */
export type ClearValue = Readonly<{ [MARK]: Readonly<{ refused: boolean; value?: unknown }> }>;

/** Marks a value that came in clear; `value` is missing where there is none. */
export const clearValue = (refused: boolean, value?: unknown): ClearValue => ({
  [MARK]: { refused, ...(value === undefined ? {} : { value }) },
});

export const isClear = (given: unknown): given is ClearValue => isObject(given) && MARK in given;

/** Whether a value came in clear and must have no effect. */
export const isRefused = (given: unknown): boolean => isClear(given) && given[MARK].refused;

/** The value itself, whether it came in clear or not. */
export const openValue = (given: unknown): unknown => (isClear(given) ? given[MARK].value : given);
