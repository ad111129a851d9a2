import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync } from 'node:fs';
import { BursarError } from '../domain/errors/bursar-error.ts';
import { makePrivateFile } from './private-writing.ts';
import { linesOf, type PrivateFileErrors, readPrivateFile } from './secret-file.ts';

const TOKEN_SIZE_BYTES = 32;
/** 32 characters hold 192 random bits; a shorter token was typed by a person. */
const TOKEN_SHAPE = /^[A-Za-z0-9_-]{32,100}$/;
/** Two while one follows the other; more are a mistake. */
const TOKENS_MAX = 10;

type ErrorsOf = (file: string) => PrivateFileErrors;

/**
 * Reads the bridge's tokens from a file, one a line, and makes the file with a new token when there is none.
 * Throws BRIDGE_TOKEN_FILE_OPEN when others may read it, BRIDGE_TOKEN_FILE_UNREADABLE when it holds something else.
 */
export const loadBridgeTokens = (file: string): readonly string[] => loadTokens(file, ofBridge);

/** As {@link loadBridgeTokens}, but makes nothing: without the file there is no token. */
export const readBridgeTokens = (file: string): readonly string[] =>
  existsSync(file) ? loadBridgeTokens(file) : [];

/** As {@link loadBridgeTokens}, of the codec server; throws CODEC_TOKEN_FILE_OPEN, CODEC_TOKEN_FILE_UNREADABLE. */
export const loadCodecTokens = (file: string): readonly string[] => loadTokens(file, ofCodecServer);

/** As {@link loadCodecTokens}, but makes nothing. */
export const readCodecTokens = (file: string): readonly string[] =>
  existsSync(file) ? loadCodecTokens(file) : [];

const ofBridge: ErrorsOf = (file) => ({
  open: (mode) => new BursarError('BRIDGE_TOKEN_FILE_OPEN', { file, mode }),
  unreadable: (reason, cause) =>
    new BursarError('BRIDGE_TOKEN_FILE_UNREADABLE', { file, reason }, { cause }),
});

const ofCodecServer: ErrorsOf = (file) => ({
  open: (mode) => new BursarError('CODEC_TOKEN_FILE_OPEN', { file, mode }),
  unreadable: (reason, cause) =>
    new BursarError('CODEC_TOKEN_FILE_UNREADABLE', { file, reason }, { cause }),
});

function loadTokens(file: string, errorsOf: ErrorsOf): readonly string[] {
  const errors = errorsOf(file);
  makeTokenFile(file, errors);
  return parseTokens(readPrivateFile(file, errors), errors);
}

/** Of two programs at once, one makes it. */
function makeTokenFile(file: string, errors: PrivateFileErrors): void {
  if (existsSync(file)) return;
  try {
    makePrivateFile(file, `${randomBytes(TOKEN_SIZE_BYTES).toString('base64url')}\n`);
  } catch (cause) {
    throw errors.unreadable((cause as NodeJS.ErrnoException).code ?? 'unknown reason', cause);
  }
}

function parseTokens(text: string, errors: PrivateFileErrors): readonly string[] {
  const tokens = linesOf(text);
  if (tokens.length === 0) throw errors.unreadable('it holds no token');
  if (tokens.length > TOKENS_MAX)
    throw errors.unreadable(`it holds more than ${TOKENS_MAX} tokens`);
  const wrong = tokens.findIndex((token) => !TOKEN_SHAPE.test(token));
  if (wrong === -1) return tokens;
  throw errors.unreadable(`token ${wrong + 1} is not 32 to 100 letters, digits, "-" or "_"`);
}

/** The callers that are let in: those with a token. */
export type Tokens = Readonly<{ accepts(candidate: string): boolean }>;

/** Compares digests of equal length, all of them, so that the time shows nothing about a token. */
export function createTokens(tokens: readonly string[]): Tokens {
  const digests = tokens.map(digestOf);
  return {
    accepts(candidate) {
      const digest = digestOf(candidate);
      return digests.map((known) => timingSafeEqual(known, digest)).includes(true);
    },
  };
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
