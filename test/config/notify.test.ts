import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readNotifyKeys, readSettings } from '../../src/config.ts';
import type { BursarError } from '../../src/domain/errors/bursar-error.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Given = Readonly<Record<string, unknown>>;

const HOOK: Given = { name: 'ops', url: 'https://hooks.example/in?t=hush', secret_file: 's/ops' };

const read = (...targets: Given[]) =>
  readSettings({ env: { BURSAR_NOTIFY_TARGETS: JSON.stringify(targets) }, cwd: '/home/ann' });

function problemsOf(...targets: Given[]): string {
  try {
    read(...targets);
  } catch (error) {
    return (error as { facts: { problems: string } }).facts.problems;
  }
  throw new Error('the settings were accepted');
}

describe('a target of notifications', () => {
  it('is a url with a secret, or a command', () => {
    const command = ['/opt/pager', '--now'];
    expect(read(HOOK, { name: 'pager', command, events: ['batch.failed'] }).notify.targets).toEqual(
      [
        { name: 'ops', url: HOOK['url'], secretFile: '/home/ann/s/ops', events: [] },
        { name: 'pager', command, events: ['batch.failed'] },
      ],
    );
  });

  it.each<[string, Given, string]>([
    [
      'neither',
      { url: undefined },
      'notify.targets.0.url (BURSAR_NOTIFY_TARGETS) is needed, or a command',
    ],
    [
      'both',
      { command: ['x'] },
      'notify.targets.0.command (BURSAR_NOTIFY_TARGETS) cannot stand beside url',
    ],
    [
      'no secret',
      { secret_file: undefined },
      'notify.targets.0.secret_file (BURSAR_NOTIFY_TARGETS) is needed',
    ],
    ['a password in its url', { url: 'https://ann:hush@h.example' }, 'must not hold a name or'],
    ['another scheme', { url: 'ftp://hush.example' }, 'must be an http or https address'],
    ['an unknown event', { events: ['batch.fail'] }, '(did you mean batch.failed?)'],
    ['a nameless event', { events: ['toString'] }, 'names an event that does not exist'],
    ['an empty command', { url: undefined, command: [] }, 'notify.targets.0.command'],
  ])('with %s is refused, and its url is not repeated', (_name, more, problem) => {
    const problems = problemsOf({ ...HOOK, ...more });
    expect(problems).toContain(problem);
    expect(problems).not.toContain('hush');
  });

  it('that is a command has no secret', () => {
    const target = { name: 'pager', command: ['x'], secret_file: 'y' };
    expect(problemsOf(target)).toContain(
      'notify.targets.0.secret_file (BURSAR_NOTIFY_TARGETS) is only for',
    );
  });

  it('has a name of its own', () => {
    expect(problemsOf(HOOK, HOOK)).toBe(
      'notify.targets.1.name (BURSAR_NOTIFY_TARGETS) is the name of two targets',
    );
  });

  it.each([
    ['https://hooks.example', 0],
    ['http://127.0.0.1:9', 0],
    ['http://localhost/x', 0],
    ['http://hooks.example/hush', 1],
  ])('at %s is warned about %i times', (url, count) => {
    const { warnings } = read({ ...HOOK, url });
    expect(warnings).toHaveLength(count);
    expect(warnings.join()).not.toContain('hush');
  });
});

it('the interval of health checks can be set', () => {
  expect(readSettings({ env: { BURSAR_WATCH_EVERY_MS: '250' }, cwd: '/' }).watch).toEqual({
    everyMs: 250,
  });
  expect(() => readSettings({ env: { BURSAR_WATCH_EVERY_MS: '99' }, cwd: '/' })).toThrow(
    'watch.every_ms',
  );
});

const secretOf = (sizeBytes: number): string =>
  `whsec_${Buffer.alloc(sizeBytes, 7).toString('base64')}`;

describe('the signing keys of a target', () => {
  const keysOf = (text: string, mode = 0o600) => {
    const secretFile = join(temporaryFolder(), 'secret');
    writeFileSync(secretFile, text, { mode });
    return readNotifyKeys({ name: 'ops', events: [], secretFile });
  };

  it.each([24, 32, 64])('are %i bytes in base64', (sizeBytes) => {
    expect(keysOf(`${secretOf(sizeBytes)}\n`)).toEqual([Buffer.alloc(sizeBytes, 7)]);
  });

  it('may be several, one a line', () => {
    expect(keysOf(`${secretOf(24)}\r\n\n${secretOf(32)}\n`)).toHaveLength(2);
  });

  it.each([
    ['too short', secretOf(23)],
    ['too long', secretOf(65)],
    ['without its prefix', secretOf(32).slice(6)],
    ['not base64', `whsec_${'?'.repeat(44)}`],
    ['cut', secretOf(32).slice(0, -2)],
    ['only a prefix', 'whsec_'],
    ['more than a few', Array.from({ length: 5 }, () => secretOf(32)).join('\n')],
    ['blank', ' \n \n'],
  ])('are refused when they are %s, without being shown', (_name, text) => {
    const refusal = (): unknown => keysOf(text);
    expect(refusal).toThrow(expect.objectContaining({ code: 'NOTIFY_SECRET_INVALID' }));
    try {
      refusal();
    } catch (error) {
      const [secret] = text.trim().split('\n');
      const said = (error as BursarError<'NOTIFY_SECRET_INVALID'>).facts.reason;
      if (secret !== 'whsec_') expect(said).not.toContain(secret || 'nothing');
    }
  });

  it('are refused in a file that others can read', () => {
    expect(() => keysOf(secretOf(32), 0o644)).toThrow(
      expect.objectContaining({ code: 'SECRET_FILE_OPEN' }),
    );
  });

  it('are refused when there is no file', () => {
    const target = { name: 'ops', events: [], secretFile: join(temporaryFolder(), 'none') };
    expect(() => readNotifyKeys(target)).toThrow(
      expect.objectContaining({ code: 'SECRET_FILE_UNREADABLE' }),
    );
  });
});
