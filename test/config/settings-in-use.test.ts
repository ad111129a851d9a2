import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { settingsInUse } from '../../src/config.ts';
import { SETTING_NAMES } from '../../src/config/sources.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const FILE = `# settings
[api]
# base_url = "https://comment.example"
base_url = "https://pay.example"
"key" = "k"   # public

[store]
url = "postgres://ann:hunter2@db/bursar"

[profiles.test]
api.base_url = "https://test.example"

[[notify.targets]]
name = "finance"
url = "https://hooks.example/T0/SECRET"
`;

function inUse(env: Record<string, string> = {}, text: string | null = FILE) {
  const cwd = temporaryFolder();
  mkdirSync(cwd, { recursive: true });
  const path = join(cwd, 'bursar.toml');
  if (text !== null) writeFileSync(path, text);
  const { file, settings } = settingsInUse({ env, cwd });
  const one = (name: string) => settings.find((setting) => setting.name === name);
  return { path, file, settings, one };
}

describe('the settings in use', () => {
  it('are all settings, each once', () => {
    const { settings } = inUse();
    expect(settings.map(({ name }) => name)).toEqual(SETTING_NAMES);
  });

  it('name the file with the line, the variable, or the default', () => {
    const { path, file, one } = inUse({ BURSAR_BATCH_CHUNK_ROWS: '20' });
    expect(file).toBe(path);
    expect(one('api.base_url')).toEqual({
      name: 'api.base_url',
      value: 'https://pay.example',
      origin: 'file',
      place: `${path}:4`,
    });
    expect(one('api.key')?.place).toBe(`${path}:5`);
    expect(one('notify.targets')?.place).toBe(`${path}:13`);
    expect(one('batch.chunk_rows')).toEqual({
      name: 'batch.chunk_rows',
      value: '20',
      origin: 'environment',
      place: 'BURSAR_BATCH_CHUNK_ROWS',
    });
    expect(one('batch.row_tag')).toMatchObject({ value: 'append', origin: 'default', place: null });
    expect(one('api.requests_per_second')).toMatchObject({ value: null, origin: 'default' });
  });

  it('name the line of the profile that was chosen', () => {
    const { path, one } = inUse({ BURSAR_PROFILE: 'test' });
    expect(one('api.base_url')).toMatchObject({
      value: 'https://test.example',
      origin: 'profile',
      place: `${path}:11`,
    });
  });

  it('show no secret: no password, no address of a target, no key of a sandbox', () => {
    const targets = '[{"name":"x","url":"https://hooks.example/T0/SECRET"}]';
    for (const env of [{}, { BURSAR_NOTIFY_TARGETS: targets }]) {
      const more = { BURSAR_SANDBOX_KEYS: 'a:hush:b', BURSAR_API_SECRET: 'hush' };
      const text = JSON.stringify(inUse({ ...env, ...more }).settings);
      expect(text).not.toContain('hush');
      expect(text).not.toMatch(/hunter2|T0/);
    }
    expect(inUse({ BURSAR_API_SECRET: 'x' }).one('api.secret')).toEqual({
      name: 'api.secret',
      value: '***',
      origin: 'environment',
      place: 'BURSAR_API_SECRET',
    });
  });

  it('are defaults alone where there is no file', () => {
    const { file, settings } = inUse({}, null);
    expect(file).toBeNull();
    expect(new Set(settings.map(({ origin }) => origin))).toEqual(new Set(['default']));
  });
});
