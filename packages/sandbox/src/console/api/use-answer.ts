import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Query } from '../route.ts';
import { ask, AskError, queryText } from './ask.ts';
import { useLive } from './live.ts';

export type Loaded<Answer> = Readonly<{
  /** The latest good answer; it stays while another is awaited, and when that fails. */
  value: Answer | null;
  error: AskError | null;
}>;

export type AnswerOptions = Readonly<{
  query?: Query;
  /** What never changes while the sandbox runs. */
  once?: boolean;
  /** Nothing is read again until it is false. */
  isPaused?: boolean;
}>;

/** Reads from the admin API, and again whenever something may have changed; never twice at a time. */
export function useAnswer<Answer>(path: string, options: AnswerOptions = {}): Loaded<Answer> {
  const { query = {}, once = false, isPaused = false } = options;
  const live = useLive();
  const [loaded, setLoaded] = useState<Loaded<Answer>>({ value: null, error: null });
  const url = `${path}${queryText(query)}`;
  const loader = useMemo(() => {
    return createLoader<Answer>(url, (answer) => setLoaded((before) => ({ ...before, ...answer })));
  }, [url]);
  const isDone = once && loaded.value !== null;

  useEffect(() => {
    loader.load();
    return loader.stop;
  }, [loader]);
  useEffect(
    () => (isPaused || isDone ? undefined : live.listen({ refresh: loader.load })),
    [live, loader, isPaused, isDone],
  );
  return loaded;
}

type Loader = Readonly<{ load(): void; stop(): void }>;

function createLoader<Answer>(
  url: string,
  show: (loaded: Partial<Loaded<Answer>>) => void,
): Loader {
  const controller = new AbortController();
  const { signal } = controller;
  let isAsking = false;
  let isWanted = false;

  async function read(): Promise<void> {
    try {
      show({ value: await ask<Answer>(url, { signal }), error: null });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof AskError)) throw error;
      show({ error });
    }
  }

  async function load(): Promise<void> {
    isWanted = true;
    if (isAsking) return;
    isAsking = true;
    while (isWanted && !signal.aborted) {
      isWanted = false;
      await read();
    }
    isAsking = false;
  }

  return { load: () => void load(), stop: () => controller.abort() };
}
