import { replacePrivateFile } from '../../config/private-writing.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { hashOfToken, newToken, readTokens, type TokenRecord, tokensText } from './tokens.ts';

/** A token, as its maker chooses it. */
export type TokenChoices = Readonly<{
  name: TokenRecord['name'];
  role: TokenRecord['role'];
  account: TokenRecord['account'];
  expiresAt: TokenRecord['expiresAt'];
}>;

/** A new token. `token`: it is shown once, and stored nowhere. */
export type MadeToken = Readonly<{ token: string; record: TokenRecord }>;

/** Adds a token to a file; a missing file is made. Its caller holds the lock of the file. @throws TOKEN_NAME_TAKEN, and what `readTokens` throws */
export function addToken(file: string, choices: TokenChoices, nowMs: number): MadeToken {
  const tokens = readTokens(file);
  const { name } = choices;
  if (tokens.some((one) => one.name === name)) throw new BursarError('TOKEN_NAME_TAKEN', { name });
  const token = newToken();
  const createdAt = new Date(nowMs).toISOString();
  const record = { ...choices, sha256: hashOfToken(token), createdAt };
  write(file, [...tokens, record]);
  return { token, record };
}

/** Removes a token from a file. Its caller holds the lock of the file. The next request with it is refused. @throws TOKEN_NOT_FOUND, and what `readTokens` throws */
export function removeToken(file: string, name: string): TokenRecord {
  const tokens = readTokens(file);
  const found = tokens.find((one) => one.name === name);
  if (found === undefined) throw new BursarError('TOKEN_NOT_FOUND', { name });
  write(
    file,
    tokens.filter((one) => one !== found),
  );
  return found;
}

function write(file: string, tokens: readonly TokenRecord[]): void {
  try {
    replacePrivateFile(file, tokensText(tokens));
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? 'it cannot be written';
    throw new BursarError('TOKEN_FILE_UNREADABLE', { file, reason }, { cause });
  }
}
