import { proxyActivities } from '@temporalio/workflow';

/** A call of an activity of somebody else's worker. */
export type RogueCall = Readonly<{ name: string; input: unknown }>;

/** Calls activities of the workers of another task queue, one after the other. Returns what came of each. */
export async function rogue(taskQueue: string, calls: readonly RogueCall[]): Promise<string[]> {
  const activities = proxyActivities<Record<string, (input: unknown) => Promise<unknown>>>({
    taskQueue,
    startToCloseTimeout: '30s',
    scheduleToCloseTimeout: '40s',
    retry: { maximumAttempts: 1 },
  });
  const ends: string[] = [];
  for (const { name, input } of calls) {
    try {
      ends.push(JSON.stringify(await activities[name]?.(input)));
    } catch (error) {
      ends.push(String(error));
    }
  }
  return ends;
}
