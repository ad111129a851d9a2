import { setImmediate } from 'node:timers/promises';

/** A webhook that has just come in. */
export type NewWebhook = Readonly<{ body: Buffer; receivedAtMs: number }>;

/** Webhooks and bytes that are written with one statement. */
type GroupLimits = Readonly<{ groupRowsMax: number; groupSizeBytesMax: number }>;

type Waiter = Readonly<{
  webhook: NewWebhook;
  resolve: (seq: number) => void;
  reject: (cause: unknown) => void;
}>;

/** A commit costs about the same for one webhook as for hundreds, so webhooks that arrive together are stored together. */
export function inGroups(
  limits: GroupLimits,
  write: (group: readonly NewWebhook[]) => Promise<readonly number[]>,
): (webhook: NewWebhook) => Promise<number> {
  const waiters: Waiter[] = [];
  let isWriting = false;

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiters.length > 0) {
      // What this turn of the event loop still brings in belongs to the group.
      await setImmediate();
      await writeGroup(waiters.splice(0, groupLength(waiters, limits)));
    }
    isWriting = false;
  }

  async function writeGroup(group: readonly Waiter[]): Promise<void> {
    try {
      const seqs = await write(group.map((waiter) => waiter.webhook));
      group.forEach((waiter, i) => waiter.resolve(seqs[i] as number));
    } catch (cause) {
      for (const waiter of group) waiter.reject(cause);
    }
  }

  return (webhook) =>
    new Promise((resolve, reject) => {
      waiters.push({ webhook, resolve, reject });
      if (!isWriting) void writeAll();
    });
}

/** How many of the first ones fit into one group; at least one, however large it is. */
function groupLength(waiters: readonly Waiter[], limits: GroupLimits): number {
  let sizeBytes = 0;
  const tooLarge = waiters.slice(0, limits.groupRowsMax).findIndex(({ webhook }, i) => {
    sizeBytes += webhook.body.length;
    return i > 0 && sizeBytes > limits.groupSizeBytesMax;
  });
  return tooLarge === -1 ? limits.groupRowsMax : tooLarge;
}
