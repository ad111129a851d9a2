import { createHash, randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { z } from 'zod';
import { ROLES } from '../../domain/access/role.ts';
import { readPrivateFile } from '../../config/secret-file.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';

const NAME = /^[a-z][a-z0-9._-]{0,40}$/;

const tokenRecord = z.strictObject({
  /** The audit log names who acted by it. */
  name: z.string().regex(NAME, 'is 1 to 41 small letters, digits, ".", "_" and "-"'),
  role: z.enum(ROLES),
  /** SHA-256 of the token in hexadecimal. The token itself is nowhere. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** A name of `[accounts.NAME]`; null: the settings have one account. */
  account: z.string().nullable(),
  createdAt: z.iso.datetime(),
  /** From then on it is refused; null: it never expires. */
  expiresAt: z.iso.datetime().nullable(),
});

/** A token, without the token itself. */
export type TokenRecord = Readonly<z.output<typeof tokenRecord>>;

const tokenFile = z.strictObject({
  schema: z.literal('bursar.tokens/v1'),
  tokens: z.array(tokenRecord),
});

/** The name of a token must fit the audit log. Returns the problem, or null. */
export const tokenNameProblem = (name: string): string | null =>
  tokenRecord.shape.name.safeParse(name).error?.issues[0]?.message ?? null;

const PREFIX = 'bursar_';
const TOKEN_BYTES = 32;

/** A new token: 256 bits. */
export const newToken = (): string => `${PREFIX}${randomBytes(TOKEN_BYTES).toString('base64url')}`;

export const hashOfToken = (token: string): string =>
  createHash('sha256').update(token, 'utf8').digest('hex');

/** Reads the tokens of a file; a missing file has none. Throws TOKEN_FILE_OPEN, TOKEN_FILE_UNREADABLE. */
export function readTokens(file: string): readonly TokenRecord[] {
  if (!existsSync(file)) return [];
  const unreadable = (reason: string, cause?: unknown) =>
    new BursarError('TOKEN_FILE_UNREADABLE', { file, reason }, { cause });
  const text = readPrivateFile(file, {
    open: (mode) => new BursarError('TOKEN_FILE_OPEN', { file, mode }),
    unreadable,
  });
  try {
    return tokenFile.parse(JSON.parse(text)).tokens;
  } catch (error) {
    throw unreadable('it is not the JSON that "bursar token" writes', error);
  }
}

/** The text of a token file. */
export const tokensText = (tokens: readonly TokenRecord[]): string =>
  `${JSON.stringify({ schema: 'bursar.tokens/v1', tokens }, undefined, 2)}\n`;

/** Finds the record of a token. A changed file counts from the next request on: a revoked token is refused at once. */
export type TokenBook = Readonly<{ find(token: string, nowMs: number): TokenRecord | undefined }>;

export function openTokenBook(file: string): TokenBook {
  let known = new Map<string, TokenRecord>();
  let seen: string | undefined;
  const refresh = (): void => {
    const state = existsSync(file) ? stateOf(file) : 'missing';
    if (state === seen) return;
    known = new Map(readTokens(file).map((token) => [token.sha256, token]));
    seen = state;
  };
  return {
    find(token, nowMs) {
      refresh();
      const found = known.get(hashOfToken(token));
      const expiresAt = found?.expiresAt ?? null;
      return expiresAt !== null && Date.parse(expiresAt) <= nowMs ? undefined : found;
    },
  };
}

/** A file that is replaced has another inode. */
function stateOf(file: string): string {
  const { ino, size, mtimeMs, ctimeMs } = statSync(file);
  return [ino, size, mtimeMs, ctimeMs].join(' ');
}
