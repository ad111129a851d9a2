import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import {
  clientOptions,
  readApiSecret,
  readSettings,
  requireApi,
  type Settings,
} from '../../src/config.ts';
import { createMerchantClient } from '@bursar/merchant-api';

const SECRET = 'canary-4711';
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bursar-secret-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const settingsWith = (env: Record<string, string>) => readSettings({ env, cwd: folder });

function secretFile(name: string, { text, mode }: { text: string; mode: number }): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

describe('the API secret', () => {
  it.each([
    ['as it is', SECRET, SECRET],
    ['without the line break at its end', `${SECRET}\n`, SECRET],
    ['without the Windows line break at its end', `${SECRET}\r\n`, SECRET],
    ['with every other blank', ` ${SECRET} \n\n`, ` ${SECRET} \n`],
  ])('is read from its file %s', (name, text, expected) => {
    const file = secretFile(name, { text, mode: 0o600 });
    const secret = readApiSecret(settingsWith({ BURSAR_API_SECRET_FILE: file }));
    expect(secret).toBe(expected);
  });

  it('is read again at each use, so that a new one needs no restart', () => {
    const file = secretFile('rotated', { text: 'old', mode: 0o600 });
    const settings = settingsWith({ BURSAR_API_SECRET_FILE: file });
    expect(readApiSecret(settings)).toBe('old');
    writeFileSync(file, 'new');
    expect(readApiSecret(settings)).toBe('new');
  });

  it.each([0o400, 0o600])('may lie in a file of mode %o', (mode) => {
    const file = secretFile(`mode-${mode}`, { text: SECRET, mode });
    expect(readApiSecret(settingsWith({ BURSAR_API_SECRET_FILE: file }))).toBe(SECRET);
  });

  it.each([0o640, 0o604, 0o660, 0o620, 0o700, 0o644])('is refused in a file of mode %o', (mode) => {
    const file = secretFile(`open-${mode}`, { text: SECRET, mode });
    const read = () => readApiSecret(settingsWith({ BURSAR_API_SECRET_FILE: file }));
    expect(read).toThrow(
      expect.objectContaining({
        code: 'SECRET_FILE_OPEN',
        facts: { file, mode: `0${mode.toString(8)}` },
        message: expect.not.stringContaining(SECRET),
      }),
    );
  });

  it.each([
    ['does not exist', 'no-such-file', 'ENOENT'],
    ['is a folder', 'sub', 'it is not a file'],
    ['is empty', 'empty', 'it is empty'],
  ])('is missed when its file %s', (_, name, reason) => {
    secretFile('empty', { text: '\n', mode: 0o600 });
    mkdirSync(join(folder, 'sub'), { recursive: true, mode: 0o600 });
    const read = () => readApiSecret(settingsWith({ BURSAR_API_SECRET_FILE: name }));
    expect(read).toThrow(
      expect.objectContaining({
        code: 'SECRET_FILE_UNREADABLE',
        facts: { file: join(folder, name), reason },
      }),
    );
  });

  it('may stand in the environment, but a file wins', () => {
    const env = { BURSAR_API_SECRET: SECRET };
    expect(readApiSecret(settingsWith(env))).toBe(SECRET);
    const file = secretFile('wins', { text: 'from-file', mode: 0o600 });
    const both = settingsWith({ ...env, BURSAR_API_SECRET_FILE: file });
    expect(readApiSecret(both)).toBe('from-file');
    expect(both.warnings).toEqual([expect.stringContaining('ignored')]);
  });

  it('is named as a missing setting when there is none', () => {
    expect(() => readApiSecret(settingsWith({}))).toThrow(
      expect.objectContaining({
        code: 'SETTING_MISSING',
        facts: { setting: 'api.secret_file', variable: 'BURSAR_API_SECRET_FILE' },
      }),
    );
  });

  it.each([
    ['JSON', JSON.stringify],
    ['the console', (value: unknown) => inspect(value, { depth: 9, showHidden: true })],
    ['a text', ({ api }: Settings) => String(api.readSecretText)],
  ])('does not show when the settings are written as %s', (_, write) => {
    const shown = write(settingsWith({ BURSAR_API_SECRET: SECRET }));
    expect(shown).not.toContain(SECRET);
  });
});

describe('access to the API', () => {
  const complete = {
    BURSAR_API_BASE_URL: 'https://pay.example',
    BURSAR_API_KEY: 'pk',
    BURSAR_API_ACCOUNT: `0x${'1'.repeat(40)}`,
  };

  it('is complete with address, key and account', () => {
    expect(requireApi(settingsWith(complete))).toMatchObject({
      baseUrl: 'https://pay.example',
      key: 'pk',
      account: complete.BURSAR_API_ACCOUNT,
      requestTimeoutMs: 30_000,
    });
  });

  it('gives the client the shapes that a person has set, and no others', () => {
    const env = {
      ...complete,
      BURSAR_API_SECRET: SECRET,
      BURSAR_API_SHAPE_MASS_GET_ACCEPTS: 'key-only',
      BURSAR_API_SHAPE_ACCOUNT_IN: 'ACCOUNT,MASS_CREATE',
      BURSAR_API_SHAPE_CREATE_REQUIRES: 'all',
    };
    const options = clientOptions(settingsWith(env));
    expect(options.shapes).toEqual({
      massGetAccepts: 'key-only',
      accountIn: ['ACCOUNT', 'MASS_CREATE'],
    });
    expect(createMerchantClient(options).takesReference('MASS_GET', 'id')).toBe(false);
  });

  it.each([
    ['BURSAR_API_BASE_URL', 'api.base_url'],
    ['BURSAR_API_KEY', 'api.key'],
    ['BURSAR_API_ACCOUNT', 'api.account'],
  ])('names %s when it is missing', (variable, setting) => {
    expect(() => requireApi(settingsWith({ ...complete, [variable]: '' }))).toThrow(
      expect.objectContaining({ code: 'SETTING_MISSING', facts: { setting, variable } }),
    );
  });
});
