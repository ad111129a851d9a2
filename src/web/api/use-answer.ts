import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiFailure, type FailureFacts } from './call.ts';

/** `value`: the latest answer. It stays while the next call runs. When that fails, it stays only where the key is still the same. */
export type LoadedValue<Value> = Readonly<{
  value: Value | null;
  error: FailureFacts | null;
  reload(): void;
}>;

type ReadOptions = Readonly<{
  /** Two reads with the same key read the same. */
  key: string;
  /** Reads again after this time; left out: only once. */
  everyMs?: number;
}>;

/** Reads something when the page opens, and again while it is visible. At most one call runs at a time. */
export function useAnswer<Value>(
  read: (signal: AbortSignal) => Promise<Value>,
  { key, everyMs }: ReadOptions,
): LoadedValue<Value> {
  const [loaded, setLoaded] = useState<
    Readonly<{ value: Value | null; of: string; error: FailureFacts | null }>
  >({ value: null, of: key, error: null });
  const [turn, setTurn] = useState(0);
  const present = useRef(read);
  present.current = read;
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let timer = 0;
    const next = (): void => {
      if (everyMs !== undefined && !signal.aborted) timer = window.setTimeout(load, everyMs);
    };
    const load = (): void => {
      if (document.hidden && timer !== 0) return next();
      present
        .current(signal)
        .then((value) => signal.aborted || setLoaded({ value, of: key, error: null }))
        .catch((error: unknown) => {
          if (signal.aborted) return;
          if (!(error instanceof ApiFailure)) throw error;
          setLoaded(({ value, of }) => ({
            value: of === key ? value : null,
            of: key,
            error: error.facts,
          }));
        })
        .finally(next);
    };
    load();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [key, turn, everyMs]);
  const { value, error } = loaded;
  return { value, error, reload: () => setTurn((before) => before + 1) };
}
