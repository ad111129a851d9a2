import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useEffect, useState } from 'preact/hooks';
import { ApiFailure, callApi, callOperation, type FailureFacts, signedOut } from '../api/call.ts';
import type { WebPlace } from '../api/results.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { SignInPage } from '../pages/sign-in.tsx';
import { useTexts } from './reader.tsx';

/** Who is signed in. `role`: what they may do besides approving. */
export type WebSession = Readonly<{
  person: string;
  roles: readonly string[];
  role: 'read' | 'submit' | 'operate';
  expiresAt: string;
}>;

type Signed = Readonly<{ session: WebSession; place: WebPlace; signOut(): Promise<void> }>;

const SignedContext = createContext<Signed | null>(null);

export function useSigned(): Signed {
  const signed = useContext(SignedContext);
  if (signed === null) throw new Error('The page has no session.');
  return signed;
}

const ROLES = ['read', 'submit', 'operate'] as const;

/** Whether the person may do the work of a role. */
export const useMay = (role: WebSession['role']): boolean =>
  ROLES.indexOf(useSigned().session.role) >= ROLES.indexOf(role);

type Known = Readonly<{ session: WebSession; place: WebPlace }>;
type Gate = Readonly<{ known: Known | null; error: FailureFacts | null; isRead: boolean }>;

/** Shows the pages to a person with a session, and to others the sign-in. The address of the page stays. */
export function SessionGate({ children }: { children: ComponentChildren }) {
  const t = useTexts();
  const [{ known, error, isRead }, setGate] = useState<Gate>({
    known: null,
    error: null,
    isRead: false,
  });
  const read = useCallback(() => {
    readKnown()
      .then((found) => setGate({ known: found, error: null, isRead: true }))
      .catch((failure: unknown) => {
        if (!(failure instanceof ApiFailure)) throw failure;
        const isOut = failure.facts.status === 401;
        setGate({ known: null, error: isOut ? null : failure.facts, isRead: true });
      });
  }, []);
  useEffect(read, [read]);
  useEffect(() => {
    const leave = (): void => setGate({ known: null, error: null, isRead: true });
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
  if (known === null) return <SignInPage onDone={read} />;
  const signOut = async (): Promise<void> => {
    await callApi('DELETE /v1/session');
    setGate({ known: null, error: null, isRead: true });
  };
  return <SignedContext.Provider value={{ ...known, signOut }}>{children}</SignedContext.Provider>;
}

async function readKnown(): Promise<Known> {
  const session = (await callApi('GET /v1/session')) as WebSession;
  return { session, place: await callOperation('showPlace', {}) };
}
