import { useRef, useState } from 'preact/hooks';
import { useAnnounce } from '../shell/announcements.tsx';
import { CallError } from './call-admin.ts';
import { useLive } from './live.ts';

export type RunningAction = Readonly<{
  /** Does something and says what was done; true when it was. While it is at work it begins nothing else. */
  run(work: () => Promise<string>): Promise<boolean>;
  isRunning: boolean;
  error: CallError | null;
  forget(): void;
}>;

/** Something that a person does. Its success is announced, its failure is kept to be shown. */
export function useAction(): RunningAction {
  const live = useLive();
  const say = useAnnounce();
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<CallError | null>(null);
  const isBusy = useRef(false);

  async function run(work: () => Promise<string>): Promise<boolean> {
    if (isBusy.current) return false;
    isBusy.current = true;
    setRunning(true);
    setError(null);
    try {
      say(await work());
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
