import { useRef, useState } from 'preact/hooks';
import { useAnnounce } from '../shell/announcements.tsx';
import { ApiFailure, type FailureFacts } from './call.ts';
import { PasskeyFailure } from '../passkey/ask.ts';

/** An action of a person, and how its last run went. */
export type WebAction = Readonly<{
  /** Runs `work`, and announces the text that it returns. Returns true when it succeeded. One `work` runs at a time. */
  run(work: () => Promise<string>): Promise<boolean>;
  isRunning: boolean;
  error: FailureFacts | null;
  forget(): void;
}>;

export function useAction(): WebAction {
  const announce = useAnnounce();
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<FailureFacts | null>(null);
  const isBusy = useRef(false);

  async function run(work: () => Promise<string>): Promise<boolean> {
    if (isBusy.current) return false;
    isBusy.current = true;
    setRunning(true);
    setError(null);
    try {
      const text = await work();
      if (text !== '') announce(text);
      return true;
    } catch (failure) {
      setError(factsOf(failure));
      return false;
    } finally {
      isBusy.current = false;
      setRunning(false);
    }
  }

  return { run, isRunning, error, forget: () => setError(null) };
}

/** A bug is no failure of the action: it goes on to the browser. */
function factsOf(failure: unknown): FailureFacts {
  if (failure instanceof ApiFailure) return failure.facts;
  if (!(failure instanceof PasskeyFailure)) throw failure;
  return { status: null, code: failure.code, what: '', why: '', fix: '' };
}
