import type { AdminDelivery } from '@bursar/sandbox/admin';
import type { SandboxCalls } from './client.ts';

/** Webhooks on one page; the newest so many are followed. */
const PAGE_SIZE = 1_000;

type Query = Readonly<Record<string, string | undefined>>;

/** The latest webhooks, at most `count`, oldest first. */
export async function latestDeliveries(
  sandbox: SandboxCalls,
  query: Query,
  count: number,
): Promise<AdminDelivery[]> {
  const found: AdminDelivery[] = [];
  for (let after: number | null | undefined; after !== null && found.length < count; ) {
    const limit = Math.min(PAGE_SIZE, count - found.length);
    const page = await sandbox.call({
      endpoint: 'GET /deliveries',
      query: { ...query, order: 'newest', after, limit },
    });
    found.push(...page.deliveries);
    after = page.next;
  }
  return found.reverse();
}

/** The latest webhooks, and then each of the newest thousand again whenever it changes. */
export async function* changes(
  sandbox: SandboxCalls,
  query: Query,
  { count, pause }: Readonly<{ count: number; pause: () => Promise<void> }>,
): AsyncGenerator<AdminDelivery> {
  let found = await latestDeliveries(sandbox, query, count);
  yield* found;
  // What is older than what was shown first has not changed: it was only not asked for.
  const firstId = found[0]?.id ?? 0;
  for (;;) {
    await pause();
    const known = new Map(found.map((each) => [each.id, stampOf(each)]));
    found = await latestDeliveries(sandbox, query, PAGE_SIZE);
    yield* found.filter((each) => each.id >= firstId && known.get(each.id) !== stampOf(each));
  }
}

const stampOf = ({ status, attempts }: AdminDelivery): string => `${status} ${attempts.length}`;
