import type { Seen } from '../support/instant-service/ledger.ts';

const WORK = ['creates', 'rows', 'bodyBytes'] as const satisfies (keyof Seen)[];

/** What was sent, as text to compare and to show; when the last of it came is nobody's work. */
export const workOf = (seen: Seen | undefined): string =>
  seen === undefined ? 'nothing' : JSON.stringify(seen, [...WORK]);
