import { useEffect } from 'preact/hooks';
import { ApiFailure } from '../api/call.ts';
import { useAction } from '../api/use-action.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { Time } from '../parts/time.tsx';
import { leaveForProvider } from '../passkey/provider.ts';
import { signIn } from '../passkey/session.ts';
import { useTexts } from './reader.tsx';
import { useSigned } from './session.tsx';

/** So long before its end a session is announced to end, in seconds. */
const WARNING_S = 300;
/** After this time a session is read again in any case: browsers take no longer wait than some weeks. Seconds. */
const WAIT_S_MAX = 3_600;
/** Until the next try where the server does not answer, in seconds. */
const AGAIN_S = 30;

/** A warning before the session ends, with a way to renew it. Shows nothing before. */
export function SessionEnd() {
  const t = useTexts();
  const { session, signOut, reread } = useSigned();
  const action = useAction();
  useSessionClock();
  if (session.secondsLeft > WARNING_S) return null;
  const renew = async (): Promise<string> => {
    if (!session.hasPasskey) {
      await leaveForProvider();
      return '';
    }
    await signIn();
    await reread();
    return t.sessionEnd.renewed;
  };
  const leave = async (): Promise<string> => {
    await signOut();
    return t.shell.signedOut;
  };
  return (
    <section class="session-end no-print" aria-label={t.sessionEnd.title}>
      <p role="alert">
        <strong>{t.sessionEnd.title}</strong> {t.sessionEnd.at} <Time value={session.expiresAt} />.{' '}
        {session.hasPasskey ? t.sessionEnd.about : t.sessionEnd.aboutProvider}
      </p>
      <div class="actions">
        <button
          type="button"
          class="first"
          aria-disabled={action.isRunning}
          onClick={() => void action.run(renew)}
        >
          {session.hasPasskey ? t.sessionEnd.renew : t.sessionEnd.renewAtProvider}
        </button>
        <button type="button" onClick={() => void action.run(leave)}>
          {t.sessionEnd.leave}
        </button>
      </div>
      <ErrorNote what={t.sessionEnd.failed} error={action.error} />
    </section>
  );
}

/** Reads the session again when its warning is due, and when it has ended. */
function useSessionClock(): void {
  const { session, reread } = useSigned();
  useEffect(() => {
    let timer = 0;
    let dueMs = 0;
    const wait = (seconds: number): void => {
      clearTimeout(timer);
      const delayMs = Math.min(seconds, WAIT_S_MAX) * 1_000;
      dueMs = Date.now() + delayMs;
      timer = window.setTimeout(look, delayMs);
    };
    const look = (): void => {
      wait(AGAIN_S);
      reread().catch((failure: unknown) => {
        if (!(failure instanceof ApiFailure)) throw failure;
      });
    };
    // A device that slept is late.
    const wake = (): void => {
      if (!document.hidden && Date.now() >= dueMs) look();
    };
    const { secondsLeft } = session;
    wait(secondsLeft > WARNING_S ? secondsLeft - WARNING_S + 1 : secondsLeft + 1);
    document.addEventListener('visibilitychange', wake);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', wake);
    };
  }, [session, reread]);
}
