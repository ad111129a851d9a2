import {
  mkdtempSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { planSettings } from '../../src/config.ts';
import { withSettings } from '../../src/config/settings-text.ts';

const VALUES = new Map([
  ['api.endpoints.lookup', ''],
  ['api.shapes.timestamp_unit', 's'],
]);

const changedText = (text: string, prefix = ''): string =>
  withSettings(text, { values: VALUES, prefix }).text;

describe('withSettings', () => {
  it('adds the tables of an empty file', () => {
    expect(changedText('')).toBe(
      '[api.endpoints]\nlookup = ""\n\n[api.shapes]\ntimestamp_unit = "s"\n',
    );
  });

  it('keeps comments, order and other keys, and adds keys to their table', () => {
    const text = `# Ours\n[api]\nkey = "k" # public\n\n[api.endpoints] # moved\nuser = "/me"\n\n# Where\n[store]\nurl = "file:x.db"\n`;
    expect(changedText(text)).toBe(
      `# Ours\n[api]\nkey = "k" # public\n\n[api.endpoints] # moved\nuser = "/me"\nlookup = ""\n\n# Where\n[store]\nurl = "file:x.db"\n\n[api.shapes]\ntimestamp_unit = "s"\n`,
    );
  });

  it('changes a value and keeps the comment behind it', () => {
    const text = `[api.endpoints]\nlookup = '/api/v1/find' # by mail of May\n[ api . shapes ]\n  timestamp_unit="ms"\n`;
    const { text: changed, changed: list } = withSettings(text, { values: VALUES, prefix: '' });
    expect(changed).toBe(
      `[api.endpoints]\nlookup = "" # by mail of May\n[ api . shapes ]\n  timestamp_unit="s"\n`,
    );
    expect(list).toEqual([
      { setting: 'api.endpoints.lookup', before: "'/api/v1/find'", after: '""' },
      { setting: 'api.shapes.timestamp_unit', before: '"ms"', after: '"s"' },
    ]);
  });

  it('changes nothing where all is set so', () => {
    const text = '[api.endpoints]\nlookup = ""\n[api.shapes]\ntimestamp_unit = "s"';
    expect(withSettings(text, { values: VALUES, prefix: '' })).toEqual({ text, changed: [] });
  });

  it('writes into the tables of an account', () => {
    expect(changedText('[accounts.emea.api]\nkey = "k"\n', 'accounts.emea.')).toBe(
      '[accounts.emea.api]\nkey = "k"\n\n[accounts.emea.api.endpoints]\nlookup = ""\n\n[accounts.emea.api.shapes]\ntimestamp_unit = "s"\n',
    );
  });
});

describe('planSettings', () => {
  const place = (text?: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'bursar-settings-'));
    const path = join(folder, 'bursar.toml');
    if (text !== undefined) writeFileSync(path, text, { mode: 0o644 });
    const plan = (values: ReadonlyMap<string, string> = VALUES, env: Record<string, string> = {}) =>
      planSettings({ env, cwd: () => folder }, values);
    return { folder, path, plan };
  };

  it('writes the file for its owner alone, and nothing before', () => {
    const { path, plan } = place('[api]\nkey = "k"\n');
    const change = plan();
    expect(readFileSync(path, 'utf8')).toBe('[api]\nkey = "k"\n');
    change.write();
    expect(readFileSync(path, 'utf8')).toBe(
      '[api]\nkey = "k"\n\n[api.endpoints]\nlookup = ""\n\n[api.shapes]\ntimestamp_unit = "s"\n',
    );
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(plan().changed).toEqual([]);
  });

  it('makes a file where there is none', () => {
    const { path, plan } = place();
    plan().write();
    expect(readFileSync(path, 'utf8')).toContain('[api.shapes]\ntimestamp_unit = "s"\n');
  });

  it('writes the file that a symbolic link leads to', () => {
    const { folder, path } = place('');
    const link = join(folder, 'link.toml');
    symlinkSync(path, link);
    const change = planSettings({ env: { BURSAR_CONFIG: link }, cwd: () => folder }, VALUES);
    expect(change.path).toBe(realpathSync(path));
  });

  it.each([
    ['an inline table', '[api]\nendpoints = { user = "/me" }\n'],
    ['dotted keys', '[api]\nendpoints.user = "/me"\n'],
    ['a text of several lines', '[api.endpoints]\nlookup = """\n/api/v1/find"""\n'],
    ['a head inside a text', '[api]\nkey = """\n[api.endpoints]\n"""\n'],
  ])('refuses a file with %s, and changes nothing', (_, text) => {
    const { path, plan } = place(text);
    expect(() => plan()).toThrow(/in a form that no program changes/);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('refuses values that the settings refuse', () => {
    const { plan } = place('');
    expect(() => plan(new Map([['api.endpoints.lookup', '/a:b']]))).toThrow(/api.endpoints.lookup/);
  });
});
