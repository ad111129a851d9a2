import { maskedUrl } from '../domain/text/masked-url.ts';

type Write = (facts: Readonly<Record<string, unknown>>, message: string) => void;

/** What of a logger the bridge needs. Tokens and bodies are never among the facts. */
export type Log = Readonly<{ info: Write; warn: Write; error: Write }>;

/** Why something failed, in words that hold no data: messages of the store and of gRPC name codes and addresses only. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return maskedUrl(String(error));
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return maskedUrl(`${error.message}${cause}`);
}
