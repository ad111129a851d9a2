import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { replacePrivateFile } from './private-writing.ts';
import { readSecretFile } from './secret-file.ts';

/** Where the secret key of our subscription is kept: beside the bridge's token. */
const webhookSecretFile = (tokenFile: string): string => join(dirname(tokenFile), 'webhook-secret');

/** The secret key of our subscription, if one is kept. Throws SECRET_FILE_OPEN, SECRET_FILE_UNREADABLE. */
export function readWebhookSecret(tokenFile: string): string | undefined {
  const file = webhookSecretFile(tokenFile);
  return existsSync(file) ? readSecretFile(file) : undefined;
}

/** Stores the secret key of our subscription. Returns the file. Throws the errors of the file system. */
export function keepWebhookSecret(tokenFile: string, secretKey: string): string {
  const file = webhookSecretFile(tokenFile);
  replacePrivateFile(file, `${secretKey}\n`);
  return file;
}
