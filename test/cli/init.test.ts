import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readSettings } from '../../src/config.ts';
import { makeKeyFile } from '../../src/operations/approval/key-file.ts';
import { firstSettings } from '../../src/operations/setup/first-settings.ts';
import { ACCOUNT } from '../support/store-fixtures.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeWorld, type WorldOptions } from './support/fake-world.ts';
import { withFiles } from './support/files.ts';

/** A world without any variable: `init` must not need them. */
const world = (more: Partial<WorldOptions> = {}) =>
  fakeWorld({ cwd: withFiles(temporaryFolder(), {}), ...more });

const read = (made: ReturnType<typeof world>, file: string): string =>
  readFileSync(join(made.world.cwd, file), 'utf8');

const settingsIn = (text: string) =>
  readSettings({ env: {}, cwd: '/pay', toml: { text, path: '/pay/bursar.toml' } });

describe('bursar init', () => {
  it('writes a settings file from flags, private, and has git ignore secrets', async () => {
    const made = world();
    const flags = ['--url', 'https://pay.example', '--account', ACCOUNT, '--api-key', 'k'];
    const { code, value } = await made.json('init', ...flags);
    expect([code, value]).toEqual([
      0,
      {
        schema: 'bursar.init/v1',
        settingsFile: 'bursar.toml',
        ignored: ['.bursar/', 'runs/', '*.key', 'bursar-secret'],
        keyFile: null,
        publicKey: null,
        next: 'bursar doctor',
      },
    ]);
    expect(settingsIn(read(made, 'bursar.toml')).api).toMatchObject({
      baseUrl: 'https://pay.example',
      account: ACCOUNT,
      key: 'k',
      secretFile: '/pay/bursar-secret',
    });
    expect(statSync(join(made.world.cwd, 'bursar.toml')).mode & 0o777).toBe(0o600);
    expect(read(made, '.gitignore')).toBe('.bursar/\nruns/\n*.key\nbursar-secret\n');
  });

  it('asks on a terminal, and without a service leads to a sandbox', async () => {
    const made = world({ isTty: true, input: ['\n', '\n'] });
    const { code, out, err } = await made.run('init');
    expect(code).toBe(0);
    expect(err).toContain('Address of the service');
    expect(err).not.toContain('Public API key');
    expect(out).toMatch(/Next: bursar up\n$/);
    expect(settingsIn(read(made, 'bursar.toml')).api.baseUrl).toBeUndefined();
  });

  it('makes a key, and names its owner among the people', async () => {
    const made = world();
    const { value } = await made.json('init', '--new-key', 'ann', '--no-passphrase');
    const text = read(made, 'bursar.toml');
    expect(value).toMatchObject({ keyFile: 'bursar-ann.key', publicKey: expect.any(String) });
    expect(text).toContain(`public_key = "${String(value['publicKey'])}"`);
    expect(settingsIn(text).operator).toEqual({ name: 'ann', keyFile: '/pay/bursar-ann.key' });
    expect(statSync(join(made.world.cwd, 'bursar-ann.key')).mode & 0o777).toBe(0o600);
  });

  it('replaces no settings without --force, and keeps the lines of .gitignore', async () => {
    const cwd = withFiles(temporaryFolder(), { 'bursar.toml': '# mine', '.gitignore': 'runs/\nx' });
    const made = world({ cwd });
    const { code, value } = await made.json('init');
    expect([code, value['code']]).toEqual([2, 'FLAG_INVALID']);
    expect(read(made, 'bursar.toml')).toBe('# mine');
    expect((await made.run('init', '--force')).code).toBe(0);
    expect(read(made, 'bursar.toml')).toContain('[api]');
    expect(read(made, '.gitignore')).toBe('runs/\nx\n.bursar/\n*.key\nbursar-secret\n');
  });

  it('writes nothing for an answer that is no setting', async () => {
    const made = world();
    const { code, value } = await made.json('init', '--url', 'pay.example', '--new-key', 'ann');
    expect([code, value['code']]).toEqual([2, 'SETTINGS_INVALID']);
    expect(() => read(made, 'bursar.toml')).toThrow('ENOENT');
    expect(() => read(made, 'bursar-ann.key')).toThrow('ENOENT');
  });
});

it('every setting that the comments of the first file show can be used', () => {
  const shown = firstSettings({}).replaceAll(/^# (\[|\w+ = )/gm, '$1');
  const key = makeKeyFile(join(withFiles(temporaryFolder(), {}), 'alice.key'), 'alice.key');
  const { rules, notify, api } = settingsIn(shown.replace('ed25519:...', key));
  expect(rules.approval?.tiers).toHaveLength(1);
  expect([notify.targets.length, api.environment]).toEqual([1, 'live']);
});
