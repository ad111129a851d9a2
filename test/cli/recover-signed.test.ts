import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { keyOf, publicKeyOf } from '../support/approvers.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { inStore } from './support/in-store.ts';
import { payrollWorld } from './support/payroll-world.ts';

const NAMES = ['alice', 'bob'];
const POLICY = {
  BURSAR_APPROVAL_TIERS: '[{"approvals":1}]',
  BURSAR_APPROVAL_PEOPLE: JSON.stringify(
    NAMES.map((name) => ({ name, public_key: publicKeyOf(name) })),
  ),
};

function keyFileOf(name: string): string {
  const path = join(temporaryFolder(), `${name}.key`);
  writeFileSync(path, keyOf(name).export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  return path;
}

it('an older store counts only when a person of the policy has signed that it is one', async () => {
  const env: Record<string, string> = {
    ...POLICY,
    BURSAR_OPERATOR_KEY_FILE: keyFileOf('alice'),
  };
  const made = await payrollWorld(async () => undefined, { env });
  const settings = made.world.env as Record<string, string | undefined>;
  delete settings['BURSAR_OPERATOR_KEY_FILE'];
  made.engine.executions.clear();
  const older = ['recover', '--store', 'older', '--yes'];
  const restoredAtMs = () => inStore(made, (store) => store.restores.lastAtMs());

  expect((await made.json(...older)).value['code']).toBe('APPROVAL_UNSIGNED');
  expect((await made.json(...older, '--key', keyFileOf('eve'))).value['code']).toBe(
    'APPROVER_UNKNOWN',
  );
  expect(await restoredAtMs()).toBeUndefined();
  expect(made.engine.executions.size).toBe(0);

  expect((await made.run(...older, '--key', keyFileOf('bob'))).code).toBe(0);
  expect(await restoredAtMs()).toBe(made.world.clock.nowMs());
});
