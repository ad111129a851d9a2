import type { Hold } from './hold.ts';

/**
 * The word for a batch that sends nothing for now: a rule put it on hold, or a person alone has paused it. `holds`: the open
 * ones; a batch may be held before the store has its hold.
 */
export const holdWord = (holds: readonly Readonly<{ kind: Hold['kind'] }>[]): string =>
  holds.length > 0 && holds.every(({ kind }) => kind === 'PAUSE') ? 'Paused' : 'On hold';

/** {@link holdWord} as a sentence about the present: `on hold, so no payment is sent`. */
export const heldText = (holds: Parameters<typeof holdWord>[0]): string =>
  `${holdWord(holds).toLowerCase()}, so no payment is sent`;
