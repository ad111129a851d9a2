import { BursarError } from '../domain/errors/bursar-error.ts';
import { isLoopbackUrl } from './loopback.ts';
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

/**
 * Reads the address of the channel of a `chat` target. Throws SECRET_FILE_OPEN, SECRET_FILE_UNREADABLE,
 * NOTIFY_ADDRESS_INVALID.
 */
export function readChatAddress({ name, secretFile = '' }: NotifyTarget): string {
  const address = readSecretFile(secretFile).trim();
  const isGood =
    URL.canParse(address) &&
    /^https?:/.test(address) &&
    (address.startsWith('https:') || isLoopbackUrl(address));
  if (isGood) return address;
  throw new BursarError('NOTIFY_ADDRESS_INVALID', { target: name, file: secretFile });
}

/** Reads all secrets of a target: signing keys, the address of a channel, or a password. Throws as they do. */
export function readTargetSecrets(target: NotifyTarget): readonly (string | Uint8Array)[] {
  if (target.chat !== undefined) return [readChatAddress(target)];
  if (target.secretFile === undefined) return [];
  return target.smtp === undefined ? readNotifyKeys(target) : [readSecretFile(target.secretFile)];
}

const invalid = (target: string, file: string, reason: string) =>
  new BursarError('NOTIFY_SECRET_INVALID', { target, file, reason });
