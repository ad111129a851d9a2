import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../../src/config.ts';

/** Bytes of the header that Ed25519 keys have in their DER form. */
const DER_HEADER_BYTES = 12;

export type Approver = Readonly<{ name: string; keyFile: string; env: Env }>;

/** Somebody whose approval every batch needs, with settings that say so. */
export function createApprover(folder: string): Approver {
  const name = 'ann';
  const submitter = writeKey(folder, 'bob');
  const { keyFile, key } = writeKey(folder, name);
  return {
    name,
    keyFile,
    env: {
      BURSAR_OPERATOR_NAME: 'bob',
      BURSAR_OPERATOR_KEY_FILE: submitter.keyFile,
      BURSAR_APPROVAL_TIERS: JSON.stringify([{ above: '0', approvals: 1 }]),
      BURSAR_APPROVAL_PEOPLE: JSON.stringify([
        { name, public_key: key },
        { name: 'bob', public_key: submitter.key },
      ]),
    },
  };
}

function writeKey(folder: string, name: string): Readonly<{ keyFile: string; key: string }> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const keyFile = join(folder, `${name}.pem`);
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return { keyFile, key: `ed25519:${der.subarray(DER_HEADER_BYTES).toString('base64')}` };
}
