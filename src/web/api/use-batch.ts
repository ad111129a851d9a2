import { useEffect, useState } from 'preact/hooks';
import { type ProgressSample, withHistory, withSample } from '../words/progress.ts';
import { ApiFailure, callOperation, type FailureFacts } from './call.ts';
import type { WebBatch } from './results.ts';

export type FollowedBatch = Readonly<{
  batch: WebBatch | null;
  error: FailureFacts | null;
  /** Whether events arrive. False: the page reads the batch now and then. */
  isLive: boolean;
  /** Those of the last seconds. */
  samples: readonly ProgressSample[];
  /** Some since the page was opened. */
  history: readonly ProgressSample[];
  reload(): void;
}>;

/** The server ends its events when a person must decide. Until then the page reads it again after this time, in milliseconds. */
const AGAIN_MS = 5_000;

/** Follows a batch by server-sent events, and connects again when they end before the batch does. */
export function useBatch(batchId: string): FollowedBatch {
  const [followed, setFollowed] = useState(NOTHING);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let timer = 0;
    let source: EventSource | null = null;
    const controller = new AbortController();
    const { signal } = controller;
    const show = (batch: WebBatch, isLive: boolean): void =>
      setFollowed(({ samples, history }) => ({
        batch,
        isLive,
        error: null,
        samples: withSample(samples, sampleOf(batch)),
        history: withHistory(history, sampleOf(batch)),
      }));
    const stop = (): void => {
      clearTimeout(timer);
      source?.close();
      source = null;
    };
    const again = (work: () => void): void => {
      stop();
      if (!signal.aborted) timer = window.setTimeout(work, AGAIN_MS);
    };
    const follow = (): void => {
      stop();
      const opened = new EventSource(`/v1/batches/${encodeURIComponent(batchId)}/events`);
      source = opened;
      opened.addEventListener('message', ({ data }) =>
        show(JSON.parse(String(data)) as WebBatch, true),
      );
      // An error by itself does not name its reason, and a read does.
      for (const end of ['end', 'error']) {
        opened.addEventListener(end, () => {
          setFollowed((before) => ({ ...before, isLive: false }));
          again(read);
        });
      }
    };
    const read = (): void => {
      stop();
      callOperation('showBatch', { batchId }, signal)
        .then((batch) => {
          show(batch, false);
          if (!batch.isOver) (turnsByItself(batch) ? follow : () => again(read))();
        })
        .catch((error: unknown) => {
          if (signal.aborted) return;
          if (!(error instanceof ApiFailure)) throw error;
          setFollowed((before) => ({ ...before, isLive: false, error: error.facts }));
          again(read);
        });
    };
    read();
    return () => {
      controller.abort();
      stop();
    };
  }, [batchId, turn]);
  return { ...followed, reload: () => setTurn((before) => before + 1) };
}

const NOTHING: Readonly<{
  batch: WebBatch | null;
  error: FailureFacts | null;
  isLive: boolean;
  samples: readonly ProgressSample[];
  history: readonly ProgressSample[];
}> = { batch: null, error: null, isLive: false, samples: [], history: [] };

/** Whether the batch goes on without a person, so that events are worth a connection. */
const turnsByItself = ({ needsOperator, holds }: WebBatch): boolean =>
  needsOperator.length === 0 && holds.length === 0;

/** Rows whose outcome is final. */
const doneOf = ({ rows }: WebBatch): number =>
  rows.paid + rows.failed + rows.unknown + rows.notSent;

const sampleOf = (batch: WebBatch): ProgressSample => ({
  atMs: performance.now(),
  done: doneOf(batch),
});
