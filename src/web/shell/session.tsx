import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { WebPlace } from '../api/results.ts';

/** Who is signed in. `role`: what they may do besides approving. */
export type WebSession = Readonly<{
  person: string;
  roles: readonly string[];
  role: 'read' | 'submit' | 'operate';
  expiresAt: string;
  /** By the clock of the server, when the session was read. */
  secondsLeft: number;
  signedInBy: 'passkey' | 'oidc';
  /** Whether the person can approve here. */
  hasPasskey: boolean;
}>;

type Signed = Readonly<{
  session: WebSession;
  place: WebPlace;
  signOut(): Promise<void>;
  /** Reads the session again, such as after it was renewed. */
  reread(): Promise<void>;
}>;

export const SignedContext = createContext<Signed | null>(null);

export function useSigned(): Signed {
  const signed = useContext(SignedContext);
  if (signed === null) throw new Error('The page has no session.');
  return signed;
}

/** Who is signed in; null on the pages before the sign-in. */
export const useSession = (): WebSession | null => useContext(SignedContext)?.session ?? null;

const ROLES = ['read', 'submit', 'operate'] as const;

/** Whether the person may do the work of a role. */
export const useMay = (role: WebSession['role']): boolean =>
  ROLES.indexOf(useSigned().session.role) >= ROLES.indexOf(role);
