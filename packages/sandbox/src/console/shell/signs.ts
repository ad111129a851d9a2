import { useAnswer } from '../api/use-answer.ts';
import type { ConsolePage } from './console-pages.ts';

/** Signs beyond which nobody counts. */
const COUNT_MAX = 99;

/** What waits for somebody in each place, and what makes the sandbox behave unusually. */
export function useSigns(): Partial<Record<ConsolePage['path'], string>> {
  const waiting = useAnswer('GET /mass-payouts', {
    query: { state: 'PENDING_CONFIRMATION', limit: COUNT_MAX + 1 },
  });
  const webhooks = useAnswer('GET /webhooks');
  const faults = useAnswer('GET /faults');
  const modes = useAnswer('GET /modes');
  const blocked = webhooks.value?.subscriptions.filter((each) => each.blockedByErrorCount);
  const changed = Object.keys(modes.value?.overrides ?? {});
  return present({
    payouts: signOf(waiting.value?.massPayouts.length, 'to confirm'),
    webhooks: signOf(blocked?.length, 'blocked'),
    faults: signOf(faults.value?.faults.length, 'on'),
    modes: signOf(changed.length, 'changed'),
  });
}

function signOf(count: number | undefined, what: string): string | undefined {
  if (count === undefined || count === 0) return undefined;
  return `${count > COUNT_MAX ? `${COUNT_MAX}+` : count} ${what}`;
}

const present = <Key extends string>(
  signs: Readonly<Record<Key, string | undefined>>,
): Partial<Record<Key, string>> =>
  Object.fromEntries(Object.entries(signs).filter(([, text]) => text !== undefined)) as Partial<
    Record<Key, string>
  >;
