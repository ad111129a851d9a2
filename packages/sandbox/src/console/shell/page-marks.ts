import { useAnswer } from '../api/use-answer.ts';
import type { ConsolePage } from './console-pages.ts';

/** Beyond this count the page shows "99+". */
const COUNT_MAX = 99;

/**
 * Returns a mark for each page: how many objects wait for a person, or that faults or modes change
 * the sandbox.
 */
export function usePageMarks(): Partial<Record<ConsolePage['path'], string>> {
  const waiting = useAnswer('GET /mass-payouts', {
    query: { state: 'PENDING_CONFIRMATION', limit: COUNT_MAX + 1 },
  });
  const webhooks = useAnswer('GET /webhooks');
  const faults = useAnswer('GET /faults');
  const modes = useAnswer('GET /modes');
  const blocked = webhooks.value?.subscriptions.filter((each) => each.blockedByErrorCount);
  const changed = Object.keys(modes.value?.overrides ?? {});
  return present({
    payouts: markOf(waiting.value?.massPayouts.length, 'to confirm'),
    webhooks: markOf(blocked?.length, 'blocked'),
    faults: markOf(faults.value?.faults.length, 'on'),
    modes: markOf(changed.length, 'changed'),
  });
}

function markOf(count: number | undefined, what: string): string | undefined {
  if (count === undefined || count === 0) return undefined;
  return `${count > COUNT_MAX ? `${COUNT_MAX}+` : count} ${what}`;
}

const present = <Key extends string>(
  marks: Readonly<Record<Key, string | undefined>>,
): Partial<Record<Key, string>> =>
  Object.fromEntries(Object.entries(marks).filter(([, text]) => text !== undefined)) as Partial<
    Record<Key, string>
  >;
