import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { SecretString } from '../../merchant-api/index.ts';

/** Where the secret key of our subscription is kept: beside the bridge's token. */
export const webhookSecretFile = (tokenFile: string): string =>
  join(dirname(tokenFile), 'webhook-secret');

/** Keeps a secret key in a file that only its owner may read. The file is whole at any moment. */
export function keepSecret(file: string, secretKey: SecretString): void {
  const text = `${secretKey.reveal()}\n`;
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  const draft = `${file}.${randomBytes(8).toString('hex')}.new`;
  const handle = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, file);
}
