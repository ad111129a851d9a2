import { useRef, useState } from 'preact/hooks';
import { useAnnounce } from '../shell/announcements.tsx';
import { CallError } from './call-admin.ts';
import { useLive } from './live.ts';

export type RunningAction = Readonly<{
  /**
   * Runs `work` and announces the text that it returns. Returns true when it succeeded.
   * Returns false at once while an earlier `work` runs.
   */
  run(work: () => Promise<string>): Promise<boolean>;
  isRunning: boolean;
  error: CallError | null;
  forget(): void;
}>;

/**
 * Runs the actions of a person. It announces a success and keeps a failure, so that the page can
 * show it.
 */
export function useAction(): RunningAction {
  const live = useLive();
  const announce = useAnnounce();
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<CallError | null>(null);
  const isBusy = useRef(false);

  async function run(work: () => Promise<string>): Promise<boolean> {
    if (isBusy.current) return false;
    isBusy.current = true;
    setRunning(true);
    setError(null);
    try {
      announce(await work());
      return true;
    } catch (failure) {
      if (!(failure instanceof CallError)) throw failure;
      setError(failure);
      return false;
    } finally {
      isBusy.current = false;
      setRunning(false);
      live.touch();
    }
  }

  return { run, isRunning, error, forget: () => setError(null) };
}
