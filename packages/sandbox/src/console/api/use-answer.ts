import type { AdminAnswer, AdminEndpoint } from '@bursar/sandbox/admin';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Query } from '../route.ts';
import { callAdmin, CallError, queryText } from './call-admin.ts';
import { useLive } from './live.ts';

export type LoadedAnswer<Answer> = Readonly<{
  /** The latest answer. It stays while the next call runs, and when that call fails. */
  value: Answer | null;
  error: CallError | null;
}>;

export type AnswerOptions = Readonly<{
  query?: Query;
  /** Reads only once, for a list that never changes while the sandbox runs. */
  once?: boolean;
  /** While it is true the hook does not refresh. */
  isPaused?: boolean;
}>;

/** Reads an endpoint, and reads it again at each refresh of `useLive`. At most one call runs at a time. */
export function useAnswer<Endpoint extends AdminEndpoint>(
  endpoint: Endpoint,
  options: AnswerOptions = {},
): LoadedAnswer<AdminAnswer<Endpoint>> {
  type Loaded = LoadedAnswer<AdminAnswer<Endpoint>>;
  const { query = {}, once = false, isPaused = false } = options;
  const live = useLive();
  const [loaded, setLoaded] = useState<Loaded>({ value: null, error: null });
  const loader = useMemo(
    () =>
      createLoader({
        call: (signal) => callAdmin(endpoint, { query, signal }),
        onValue: (value) => setLoaded({ value, error: null }),
        onError: (error) => setLoaded(({ value }) => ({ value, error })),
      }),
    [endpoint, queryText(query)],
  );
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

type LoaderOptions<Answer> = Readonly<{
  call(signal: AbortSignal): Promise<Answer>;
  onValue(value: Answer): void;
  onError(error: CallError): void;
}>;

function createLoader<Answer>({ call, onValue, onError }: LoaderOptions<Answer>): Loader {
  const controller = new AbortController();
  const { signal } = controller;
  let isCalling = false;
  let isWanted = false;

  async function read(): Promise<void> {
    try {
      onValue(await call(signal));
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof CallError)) throw error;
      onError(error);
    }
  }

  async function load(): Promise<void> {
    isWanted = true;
    if (isCalling) return;
    isCalling = true;
    while (isWanted && !signal.aborted) {
      isWanted = false;
      await read();
    }
    isCalling = false;
  }

  return { load: () => void load(), stop: () => controller.abort() };
}
