import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { makeKeyFile } from '../../src/operations/approval/key-file.ts';
import type { Check } from '../../src/doctor/check.ts';
import {
  checkAccess,
  checkPrivate,
  checkRoles,
  checkWindow,
} from '../../src/doctor/security-checks.ts';
import { loadSettings } from '../../src/config.ts';
import { publicKeyOf } from '../support/approvers.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const settingsOf = (env: Readonly<Record<string, string>> = {}) =>
  loadSettings({ cwd: () => folder, env });

const write = (name: string): string => {
  writeFileSync(join(folder, name), 'anything', { mode: 0o600 });
  return join(folder, name);
};

const results = (checks: readonly Check[]) => checks.map(({ name, result }) => [name, result]);

describe('the doctor warns', () => {
  const far = 'temporal.example:7233';
  const remote = { isLocal: false, hasTls: true, isOpen: false };

  it('of a Temporal on the network that serves every program, in clear', () => {
    const access = { ...remote, hasTls: false, isOpen: true };
    const checks = checkAccess({ access, address: far }, false);
    expect(results(checks)).toEqual([
      ['connection to Temporal', 'warn'],
      ['access to Temporal', 'warn'],
      ['payloads', 'warn'],
    ]);
    expect(checks[1]).toMatchObject({
      says: 'temporal.example:7233 serves programs without credentials',
      fix: expect.stringContaining('docs/security.md'),
    });
  });

  it('of no Temporal with certificates, with a key ring, and of none on this machine', () => {
    const local = { isLocal: true, hasTls: false, isOpen: true };
    const all = [
      ...checkAccess({ access: remote, address: far }, true),
      ...checkAccess({ access: local, address: '127.0.0.1:7233' }, false),
    ];
    expect(all.map(({ result }) => result)).toEqual(Array.from({ length: 6 }, () => 'ok'));
  });

  it('of folders and files that other accounts of the machine can read', async () => {
    const reports = join(folder, 'runs');
    mkdirSync(reports);
    chmodSync(reports, 0o750);
    const secret = write('secret');
    chmodSync(secret, 0o604);
    const settings = settingsOf({ BURSAR_REPORT_DIR: reports, BURSAR_API_SECRET_FILE: secret });
    expect(await checkPrivate(settings)).toMatchObject({
      result: 'warn',
      fix: `chmod -R go= '${reports}' '${secret}'`,
      says: `other accounts of this machine can read ${reports}, ${secret}`,
    });
    chmodSync(reports, 0o700);
    chmodSync(secret, 0o600);
    expect(await checkPrivate(settings)).toMatchObject({ result: 'ok' });
  });

  it('of a window that is shorter than the one that the service documents', () => {
    const windowOf = (ms: string) => {
      const url = { BURSAR_API_BASE_URL: 'http://127.0.0.1:8788' };
      return checkWindow(settingsOf({ ...url, BURSAR_API_TIMESTAMP_WINDOW_MS: ms }).api);
    };
    expect(windowOf('60000')).toMatchObject([
      { result: 'warn', says: expect.stringContaining('60000') },
    ]);
    expect(windowOf('180000')).toEqual([]);
  });

  it('of an account that can read the API secret and a signing key, where a policy demands signatures', async () => {
    const key = join(folder, 'alice.pem');
    makeKeyFile(key, 'alice.pem');
    const env = {
      BURSAR_API_SECRET_FILE: write('secret'),
      BURSAR_OPERATOR_KEY_FILE: key,
      BURSAR_APPROVAL_TIERS: JSON.stringify([{ above: '0', approvals: 1, roles: [] }]),
      BURSAR_APPROVAL_PEOPLE: JSON.stringify([{ name: 'bob', public_key: publicKeyOf('bob') }]),
    };
    const found = async (more: Readonly<Record<string, string>> = {}) => {
      const settings = settingsOf({ ...env, ...more });
      return results(await checkRoles(settings, settings.rules.approval));
    };
    expect(await found()).toEqual([['separate accounts', 'warn']]);
    const gone = join(folder, 'gone.pem');
    expect(await found({ BURSAR_OPERATOR_KEY_FILE: gone })).toEqual([['separate accounts', 'ok']]);
    const locked = join(folder, 'locked.pem');
    makeKeyFile(locked, 'locked.pem', 'a long passphrase');
    expect(await found({ BURSAR_OPERATOR_KEY_FILE: locked })).toEqual([
      ['separate accounts', 'ok'],
    ]);
    expect(await checkRoles(settingsOf(env), null)).toEqual([]);
  });
});
