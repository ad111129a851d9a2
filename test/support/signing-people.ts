import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyOf, publicKeyOf } from './approvers.ts';

/**
 * Settings by which every batch in a currency needs an approval of bob, and alice signs the submit of all batches. Both need their
 * key files.
 */
export const bobApproves = (currency: string) => ({
  BURSAR_OPERATOR_NAME: 'alice',
  BURSAR_OPERATOR_KEY_FILE: 'alice.key',
  BURSAR_APPROVAL_TIERS: JSON.stringify([
    { currency, above: '0', approvals: 1, roles: ['finance'] },
  ]),
  BURSAR_APPROVAL_PEOPLE: JSON.stringify(
    ['bob', 'alice'].map((name) => ({
      name,
      public_key: publicKeyOf(name),
      roles: name === 'bob' ? ['finance'] : [],
    })),
  ),
});

/** Writes the key files of both. */
export const writeKeyFiles = (folder: string): void =>
  ['alice', 'bob'].forEach((name) => writeKeyFile(folder, name));

/** Writes the key file of a person, as `<name>.key`. */
export function writeKeyFile(folder: string, name: string): void {
  const pem = keyOf(name).export({ type: 'pkcs8', format: 'pem' });
  writeFileSync(join(folder, `${name}.key`), pem, { mode: 0o600 });
}
