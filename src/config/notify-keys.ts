import { BursarError } from '../domain/errors/bursar-error.ts';
import { readSecretFile } from './secret-file.ts';
import type { NotifyTarget } from './settings.ts';

/** Bytes of a signing key. Standard Webhooks, "Signature scheme". */
const KEY_SIZE_BYTES = { min: 24, max: 64 } as const;
/** Two while one follows the other; more are a mistake. */
const KEYS_MAX = 4;

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Reads the signing keys of a target at the moment of their use: one secret a line, `whsec_` and base64. With two, each
 * notification is signed with both, so that a receiver can change from one to the other. Throws SECRET_FILE_OPEN,
 * SECRET_FILE_UNREADABLE, NOTIFY_SECRET_INVALID.
 */
export function readNotifyKeys({ name, secretFile }: NotifyTarget): readonly Uint8Array[] {
  if (secretFile === undefined) throw invalid(name, 'no file', 'the target names none');
  const lines = readSecretFile(secretFile)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length === 0) throw invalid(name, secretFile, 'it holds no secret');
  if (lines.length > KEYS_MAX) throw invalid(name, secretFile, `it holds more than ${KEYS_MAX}`);
  return lines.map((line, at) => {
    const key = decode(line);
    if (key !== undefined) return key;
    const shape = `${KEY_SIZE_BYTES.min} to ${KEY_SIZE_BYTES.max} bytes in base64`;
    throw invalid(name, secretFile, `line ${at + 1} is not "whsec_" and ${shape}`);
  });
}

function decode(line: string): Uint8Array | undefined {
  const [, text] = /^whsec_(.+)$/.exec(line) ?? [];
  if (text === undefined || !BASE64.test(text)) return undefined;
  const key = Buffer.from(text, 'base64');
  return key.length >= KEY_SIZE_BYTES.min && key.length <= KEY_SIZE_BYTES.max ? key : undefined;
}

const invalid = (target: string, file: string, reason: string) =>
  new BursarError('NOTIFY_SECRET_INVALID', { target, file, reason });
