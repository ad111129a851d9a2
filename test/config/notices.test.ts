import { describe, expect, it } from '@jest/globals';
import { readSettings } from '../../src/config.ts';

const ON = `template_file = "notice.txt"
since = "2026-11-28T00:00:00Z"
smtp = "smtp://127.0.0.1:25"
from = "pay@house.example"
`;

const read = (lines: string) =>
  readSettings({
    env: {},
    cwd: '/',
    toml: { text: `[notices]\n${lines}`, path: '/etc/bursar.toml' },
  });

describe('notices to payees', () => {
  it('are off by default', () => {
    expect(readSettings({ env: {}, cwd: '/' }).notices).toEqual({ perMinute: 60 });
  });

  it('need a template, an instant, a server and a sender', () => {
    expect(read(ON).notices).toEqual({
      templateFile: '/etc/notice.txt',
      since: '2026-11-28T00:00:00.000Z',
      smtp: 'smtp://127.0.0.1:25',
      from: 'pay@house.example',
      perMinute: 60,
    });
  });

  it.each([
    [ON.replace(/since.*\n/, ''), 'notices.since (bursar.toml) is needed for notices'],
    [ON.replace(/smtp.*\n/, ''), 'notices.smtp (bursar.toml) is needed for notices'],
    [ON.replace(/from.*\n/, ''), 'notices.from (bursar.toml) is needed for notices'],
    [
      ON.replace(/template.*\n/, ''),
      'notices.since (bursar.toml) is only for notices.template_file',
    ],
    [
      ON.replace('2026-11-28T00:00:00Z', '2026-11-28'),
      'notices.since (bursar.toml) must be an instant such as',
    ],
    [ON.replace('//', '//ann:hush@'), 'notices.smtp (bursar.toml) must not hold a password'],
    [ON.replace('//', '//ann@'), 'notices.secret_file (bursar.toml) is for the password of a user'],
    [`${ON}secret_file = "s"\n`, 'notices.secret_file (bursar.toml) is for the password of a user'],
    [
      `${ON}per_minute = 601\n`,
      'notices.per_minute (bursar.toml) must be a whole number from 1 to 600',
    ],
  ])('%j is refused', (lines, problem) => {
    expect(() => read(lines)).toThrow(
      expect.objectContaining({
        facts: { problems: expect.stringContaining(problem) },
      }),
    );
  });
});
