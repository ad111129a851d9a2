import { maskedUrl } from '../domain/text/masked-url.ts';

type Write = (facts: Readonly<Record<string, unknown>>, message: string) => void;

/** The logger of the bridge. Its facts never hold tokens or bodies of webhooks. */
export type Log = Readonly<{ debug: Write; info: Write; warn: Write; error: Write }>;

/**
 * Returns the text of an error for the log, with user information in addresses masked.
 * Messages of the store and of gRPC hold codes and addresses only, and no data of webhooks.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return maskedUrl(String(error));
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return maskedUrl(`${error.message}${cause}`);
}
