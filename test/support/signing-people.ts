import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyOf, publicKeyOf } from './approvers.ts';

/** Settings by which every batch in a currency needs an approval of bob, and alice is the submitter of all batches. */
export const bobApproves = (currency: string) => ({
  BURSAR_OPERATOR_NAME: 'alice',
  BURSAR_APPROVAL_TIERS: JSON.stringify([{ currency, above: '0', approvals: 1 }]),
  BURSAR_APPROVAL_PEOPLE: JSON.stringify([{ name: 'bob', public_key: publicKeyOf('bob') }]),
});

/** Writes the key file of a person, as `<name>.key`. */
export function writeKeyFile(folder: string, name: string): void {
  const pem = keyOf(name).export({ type: 'pkcs8', format: 'pem' });
  writeFileSync(join(folder, `${name}.key`), pem, { mode: 0o600 });
}
