import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { BursarError } from '../domain/errors/bursar-error.ts';

const TOKEN_SIZE_BYTES = 32;
/** 32 characters hold 192 random bits; a shorter token was typed by somebody. */
const TOKEN_SHAPE = /^[A-Za-z0-9_-]{32,100}$/;
/** Two while one follows the other; more are a mistake. */
const TOKENS_MAX = 10;
/** Rights of group and others in a file's mode. */
const MODE_OF_OTHERS = 0o077;

/**
 * Reads the tokens from a file, one a line, and makes the file with a new token when there is none.
 * Throws BRIDGE_TOKEN_FILE_OPEN when others may read it, BRIDGE_TOKEN_FILE_UNREADABLE when it holds something else.
 */
export function loadBridgeTokens(file: string): readonly string[] {
  try {
    makeTokenFile(file);
    return parseTokens(file, readPrivateFile(file));
  } catch (cause) {
    if (cause instanceof BursarError) throw cause;
    throw unreadable(file, (cause as NodeJS.ErrnoException).code ?? 'unknown', cause);
  }
}

/** As {@link loadBridgeTokens}, but makes nothing: without the file there is no token. */
export const readBridgeTokens = (file: string): readonly string[] =>
  existsSync(file) ? loadBridgeTokens(file) : [];

/** The file appears under its name complete and safe on disk, or not at all; of two bridges at once, one makes it. */
function makeTokenFile(file: string): void {
  if (existsSync(file)) return;
  const draft = `${file}.${randomBytes(8).toString('hex')}.new`;
  mkdirSync(dirname(file), { recursive: true });
  try {
    writeDurably(draft, `${randomBytes(TOKEN_SIZE_BYTES).toString('base64url')}\n`);
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function writeDurably(file: string, text: string): void {
  const handle = openSync(file, 'wx', 0o600);
  try {
    writeFileSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function readPrivateFile(file: string): string {
  const handle = openSync(file, 'r');
  try {
    const mode = fstatSync(handle).mode & 0o777;
    if ((mode & MODE_OF_OTHERS) !== 0) {
      throw new BursarError('BRIDGE_TOKEN_FILE_OPEN', { file, mode: `0${mode.toString(8)}` });
    }
    return readFileSync(handle, 'utf8');
  } finally {
    closeSync(handle);
  }
}

function parseTokens(file: string, text: string): readonly string[] {
  const tokens = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (tokens.length === 0) throw unreadable(file, 'it holds no token');
  if (tokens.length > TOKENS_MAX) throw unreadable(file, `it holds more than ${TOKENS_MAX} tokens`);
  const wrong = tokens.findIndex((token) => !TOKEN_SHAPE.test(token));
  if (wrong === -1) return tokens;
  throw unreadable(file, `token ${wrong + 1} is not 32 to 100 letters, digits, "-" or "_"`);
}

const unreadable = (file: string, reason: string, cause?: unknown) =>
  new BursarError('BRIDGE_TOKEN_FILE_UNREADABLE', { file, reason }, { cause });
