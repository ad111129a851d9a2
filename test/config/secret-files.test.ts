import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { readKeyFile } from '../../src/operations/approval/key-file.ts';
import { describeLocalSandbox } from '../../src/local-stack/local-sandbox.ts';
import {
  loadBridgeTokens,
  loadCodecTokens,
  loadSettings,
  readKeyRing,
  readNotifyKeys,
  readSecretFile,
} from '../../src/config.ts';
import { keepWebhookSecret, readWebhookSecret } from '../../src/config/webhook-secret.ts';
import { REPOSITORY } from '../local-stack/support/folders.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** How every kind of secret comes in, with the code of its refusals. */
const READERS: readonly (readonly [string, (file: string) => unknown, string])[] = [
  ['API secret', readSecretFile, 'SECRET_FILE'],
  [
    'signing key of notifications',
    (file) => readNotifyKeys({ name: 'n', events: [], secretFile: file }),
    'SECRET_FILE',
  ],
  ['tokens of the bridge', loadBridgeTokens, 'BRIDGE_TOKEN_FILE'],
  ['tokens of the codec server', loadCodecTokens, 'CODEC_TOKEN_FILE'],
  ['key ring', readKeyRing, 'KEY_RING'],
  ['private key of an approver', (file) => readKeyFile(file, file), 'KEY_FILE'],
];

describe.each(READERS)('the file of the %s', (_kind, read, code) => {
  it.each([0o640, 0o604, 0o620, 0o660, 0o644, 0o700, 0o777])('is refused with mode %o', (mode) => {
    const file = join(folder, 'secret');
    writeFileSync(file, 'a'.repeat(43));
    chmodSync(file, mode);
    const facts = expect.objectContaining({ mode: `0${mode.toString(8)}` });
    expect(() => read(file)).toThrow(expect.objectContaining({ code: `${code}_OPEN`, facts }));
  });

  it('is judged by the target of a link', () => {
    writeFileSync(join(folder, 'open'), 'a'.repeat(43), { mode: 0o644 });
    symlinkSync(join(folder, 'open'), join(folder, 'link'));
    const expected = expect.objectContaining({ code: `${code}_OPEN` });
    expect(() => read(join(folder, 'link'))).toThrow(expected);
  });

  it.each<[string, (file: string) => unknown]>([
    ['a folder', (file) => mkdirSync(file, { mode: 0o600 })],
    ['a pipe without a writer', (file) => execFileSync('mkfifo', ['-m', '600', file])],
    ['too large', (file) => writeFileSync(file, 'a'.repeat(65_537), { mode: 0o600 })],
  ])('is refused when it is %s', (_what, make) => {
    const file = join(folder, 'secret');
    make(file);
    expect(() => read(file)).toThrow(expect.objectContaining({ code: `${code}_UNREADABLE` }));
  });
});

describe('the secret key of the subscription', () => {
  const tokenFile = (): string => join(folder, 'bridge-token');

  it('is kept in a file that only its owner can read, even over an older file with another mode', () => {
    writeFileSync(join(folder, 'webhook-secret'), 'the same\n', { mode: 0o644 });
    const file = keepWebhookSecret(tokenFile(), 'the same');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readWebhookSecret(tokenFile())).toBe('the same');
  });

  it('is not read from a file that others can read', () => {
    expect(readWebhookSecret(tokenFile())).toBeUndefined();
    chmodSync(keepWebhookSecret(tokenFile(), 's'), 0o644);
    expect(() => readWebhookSecret(tokenFile())).toThrow(
      expect.objectContaining({ code: 'SECRET_FILE_OPEN' }),
    );
  });
});

describe('the secret of a local sandbox', () => {
  const describeSandbox = () =>
    describeLocalSandbox({
      dataDir: folder,
      env: {},
      place: { host: '127.0.0.1', port: 1 },
      settings: loadSettings({ env: {}, cwd: () => folder }),
    });

  it('is made once, for its owner alone', () => {
    describeSandbox();
    const file = join(folder, 'sandbox-secret');
    const secret = readFileSync(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    describeSandbox();
    expect(readFileSync(file)).toEqual(secret);
  });

  it('is refused when others can read it', () => {
    describeSandbox();
    chmodSync(join(folder, 'sandbox-secret'), 0o644);
    expect(describeSandbox).toThrow(expect.objectContaining({ code: 'SECRET_FILE_OPEN' }));
  });
});

// Only root can give a file to another group, and become a user without rights.
const asRoot = process.getuid?.() === 0 ? describe : describe.skip;

asRoot('a secret of root, as Kubernetes mounts it', () => {
  const USER = 65_534;
  const GROUP_OF_SECRETS = 2_000;

  /** Reads the secret in a process of its own; returns the secret, or the code of the refusal. */
  function readAs(groups: number, mode: number): string {
    chmodSync(folder, 0o755);
    const file = join(folder, 'mounted');
    writeFileSync(file, 'the secret');
    chownSync(file, 0, GROUP_OF_SECRETS);
    chmodSync(file, mode);
    symlinkSync('mounted', join(folder, 'api-secret'));
    const program = `import { readSecretFile } from ${JSON.stringify(join(REPOSITORY, 'build/src/config.js'))};
      process.setgroups([${groups}]); process.setgid(${USER}); process.setuid(${USER});
      try { console.log(readSecretFile(process.argv[1])); } catch ({ code }) { console.log(code); }`;
    const args = ['--input-type=module', '--eval', program, 'api-secret'];
    // The user may not pass through the folder above.
    return execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).trim();
  }

  it('is read by a program in its group', () => {
    expect(readAs(GROUP_OF_SECRETS, 0o440)).toBe('the secret');
  });

  it('is refused when the group may write it', () => {
    expect(readAs(GROUP_OF_SECRETS, 0o460)).toBe('SECRET_FILE_OPEN');
  });

  it('is refused when all others may read it', () => {
    expect(readAs(GROUP_OF_SECRETS, 0o444)).toBe('SECRET_FILE_OPEN');
  });

  it('cannot be read by a program outside its group', () => {
    expect(readAs(2_001, 0o440)).toBe('SECRET_FILE_UNREADABLE');
  });
});
