import { ActivityFailure, CancellationScope, log } from '@temporalio/workflow';
import type { News } from '../../domain/notify/events.ts';
import { tell } from './activities.ts';

export type Teller = ReturnType<typeof openTeller>;

/**
 * Tells people without holding anything up: a target that is slow, or a store that cannot be written, never keeps a batch
 * from its work, and never makes it fail.
 */
export function openTeller() {
  const underWay = new Set<Promise<void>>();
  return {
    tell: (news: News): void => {
      const telling = tellOnce(news).finally(() => underWay.delete(telling));
      underWay.add(telling);
    },
    /** Resolves when all that was told so far is written down, or given up. */
    untilTold: async (): Promise<void> => {
      await Promise.all(underWay);
    },
  };
}

/** Handlers run in the workflow's own scope, which may have been canceled: people are told all the same. */
async function tellOnce(news: News): Promise<void> {
  try {
    await CancellationScope.nonCancellable(() => tell(news));
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    const why = error.cause?.message ?? error.message;
    log.warn('news could not be written down', { event: news.event, key: news.key, why });
  }
}
