import { type ComponentChildren, Fragment } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { ApiFailure, callApi, callOperation, type FailureFacts, signedOut } from '../api/call.ts';
import type { WebPlace } from '../api/results.ts';
import { SignInPage } from '../pages/sign-in.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { returnToPlace } from '../passkey/provider.ts';
import { useTexts } from './reader.tsx';
import { SignedContext, type WebSession } from './session.tsx';
import { markSignedIn, wasSignedIn } from './signed-in-mark.ts';

type Known = Readonly<{ session: WebSession; place: WebPlace }>;
type Gate = Readonly<{
  known: Known | null;
  error: FailureFacts | null;
  isRead: boolean;
  /** Whether a session is over that the person has not ended. */
  isEnded: boolean;
}>;

const UNREAD: Gate = { known: null, error: null, isRead: false, isEnded: false };
const READ: Gate = { ...UNREAD, isRead: true };

/** Shows the pages to a person with a session, and to others the sign-in. The address of the page stays. */
export function SessionGate({ children }: { children: ComponentChildren }) {
  const t = useTexts();
  const [{ known, error, isRead, isEnded }, setGate] = useState(UNREAD);
  const reread = useCallback(async (): Promise<void> => {
    const found = await readKnown();
    returnToPlace();
    markSignedIn(true);
    setGate({ ...READ, known: found });
  }, []);
  const read = useCallback(() => {
    reread().catch((failure: unknown) => {
      if (!(failure instanceof ApiFailure)) throw failure;
      const isOut = failure.facts.status === 401;
      setGate(isOut ? { ...READ, isEnded: wasSignedIn() } : { ...READ, error: failure.facts });
    });
  }, []);
  useEffect(read, [read]);
  useEffect(() => {
    const leave = (): void => setGate({ ...READ, isEnded: wasSignedIn() });
    signedOut.addEventListener('signed-out', leave);
    return () => signedOut.removeEventListener('signed-out', leave);
  }, []);
  if (!isRead) return <p class="empty">{t.shell.loading}</p>;
  if (error !== null) {
    return (
      <main class="alone">
        <ErrorNote what={t.shell.noStart} error={error} />
        <button type="button" onClick={read}>
          {t.shell.again}
        </button>
      </main>
    );
  }
  if (known === null) return <SignInPage isEnded={isEnded} onDone={read} />;
  const signOut = async (): Promise<void> => {
    await callApi('DELETE /v1/session');
    markSignedIn(false);
    setGate(READ);
  };
  return (
    <SignedContext.Provider value={{ ...known, signOut, reread }}>
      {/* Nothing that one person has typed stays for another. */}
      <Fragment key={known.session.person}>{children}</Fragment>
    </SignedContext.Provider>
  );
}

async function readKnown(): Promise<Known> {
  const session = (await callApi('GET /v1/session')) as WebSession;
  return { session, place: await callOperation('showPlace', {}) };
}
