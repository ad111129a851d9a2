import type { serveWebApp } from '../../../src/http-api/web-files.ts';

/** A request that changes something. */
type PlayedRequest = Readonly<{ method: string; url: string; body: Record<string, unknown> }>;

export type PlayedWeb = Readonly<{
  /** By the name localhost. */
  url: string;
  requests: readonly PlayedRequest[];
  /** Makes a passkey that of bob, as settings have it. */
  usePasskey(text: string, of?: Readonly<{ submittedBy: string }>): void;
  /** Ends the session, as the server does after its hours. */
  signOut(): void;
  /** Changes what the server answers about the session, until its person signs in again. */
  changeSession(fields: Readonly<Record<string, unknown>>): void;
  close(): Promise<void>;
}>;

export function startPlayedWeb(
  story: Readonly<{
    serveWebApp: typeof serveWebApp;
    /** The folder with the files of the web app. */
    folder: string;
    place?: Readonly<Record<string, unknown>>;
    role?: string;
    /** Fields of the session, over those of bob. */
    session?: Readonly<Record<string, unknown>>;
    provider?: Readonly<{ name: string; url: string }> | null;
  }>,
): Promise<PlayedWeb>;
