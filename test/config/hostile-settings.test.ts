import { expect, it } from '@jest/globals';
import { readSettings } from '../../src/config.ts';

const read = (text: string, env: Record<string, string> = {}) =>
  readSettings({ env, cwd: '/home', toml: { text, path: '/home/bursar.toml' } });

it.each([
  ['lists in lists', `a = ${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['tables in tables', `a = ${'{a='.repeat(100_000)}`],
  ['a name of many names', `[${'a.'.repeat(10_000)}a]`],
  ['a text that is not closed', `a = "${'x'.repeat(1_000_000)}`],
  ['a prototype', '[__proto__]\nbase_url = "http://evil.example"'],
])('a settings file with %s is refused, and nothing worse', (_, text) => {
  expect(() => read(text)).toThrow(expect.objectContaining({ code: 'SETTINGS_INVALID' }));
});

it.each(['['.repeat(100_000) + ']'.repeat(100_000), '{"a":'.repeat(100_000), '[__proto__]'])(
  'a setting of JSON that is made to harm its reader is refused, and nothing worse',
  (value) => {
    expect(() => read('', { BURSAR_FINDINGS_CONFIRM: value })).toThrow(
      expect.objectContaining({ code: 'SETTINGS_INVALID' }),
    );
  },
);
