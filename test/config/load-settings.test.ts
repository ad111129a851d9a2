import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings } from '../../src/config.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bursar config '));
});
afterEach(() => rmSync(folder, { recursive: true }));

const load = (env: Record<string, string> = {}, flags?: Record<string, string>) =>
  loadSettings({ env, cwd: () => folder }, flags);

it('works without a bursar.toml, counting paths from the working folder', () => {
  expect(load().report.dir).toBe(join(folder, 'runs'));
});

it('reads the bursar.toml of the working folder', () => {
  writeFileSync(join(folder, 'bursar.toml'), '[report]\ndir = "out"');
  expect(load().report.dir).toBe(join(folder, 'out'));
  expect(load({ BURSAR_REPORT_DIR: 'env' }).report.dir).toBe(join(folder, 'env'));
  expect(load({}, { 'report.dir': 'flag' }).report.dir).toBe(join(folder, 'flag'));
});

it('reads the file that BURSAR_CONFIG names, and counts paths from its folder', () => {
  mkdirSync(join(folder, 'etc'));
  writeFileSync(join(folder, 'etc', 'live.toml'), '[temporal]\ntask_queue = "live"');
  const settings = load({ BURSAR_CONFIG: 'etc/live.toml' });
  expect(settings.temporal.taskQueue).toBe('live');
  expect(settings.report.dir).toBe(join(folder, 'etc', 'runs'));
});

it('refuses to go on without the file that BURSAR_CONFIG names', () => {
  expect(() => load({ BURSAR_CONFIG: 'no.toml' })).toThrow(
    expect.objectContaining({
      code: 'SETTINGS_INVALID',
      facts: { problems: `${join(folder, 'no.toml')} cannot be read (ENOENT)` },
    }),
  );
});
