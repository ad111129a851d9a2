import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readNotifyKeys, readSettings, readTargetSecrets } from '../../src/config.ts';
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
      'notify.targets.0.url (BURSAR_NOTIFY_TARGETS) is needed, or a command, chat or smtp',
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
      'notify.targets.0.secret_file (BURSAR_NOTIFY_TARGETS) is not for a command',
    );
  });

  it('is an e-mail address behind an SMTP server, or a channel', () => {
    const mail = {
      name: 'mail',
      smtp: 'smtps://ann@m.example',
      from: 'b@x.example',
      to: 'f@x.example',
    };
    const chat = { name: 'chat', chat: 'slack', secret_file: '/s/slack' };
    expect(read({ ...mail, secret_file: '/s/mail' }, chat).notify.targets).toEqual([
      { ...mail, secretFile: '/s/mail', events: [] },
      { name: 'chat', chat: 'slack', secretFile: '/s/slack', events: [] },
    ]);
  });

  it.each<[string, Given, string]>([
    [
      'a password',
      { smtp: 'smtps://ann:hush@m.example' },
      'smtp (BURSAR_NOTIFY_TARGETS) must not hold a',
    ],
    [
      'a user and no file',
      { secret_file: undefined },
      'secret_file (BURSAR_NOTIFY_TARGETS) is for the',
    ],
    [
      'a file and no user',
      { smtp: 'smtps://m.example' },
      'secret_file (BURSAR_NOTIFY_TARGETS) is for the',
    ],
    ['a query', { smtp: 'smtps://m.example?to=hush' }, 'must be an address such as smtps://'],
    ['no sender', { from: undefined }, 'from (BURSAR_NOTIFY_TARGETS) is needed for smtp'],
    ['two receivers', { to: 'a@hush.example,b@hush.example' }, 'must be an e-mail address'],
    ['a line break in a receiver', { to: 'a@x.example\nBcc: hush@y.example' }, 'must be an e-mail'],
    ['a url beside it', { url: 'https://hush.example' }, 'cannot stand beside url'],
    [
      'a chat without a file',
      { smtp: undefined, from: undefined, to: undefined, chat: 'teams', secret_file: undefined },
      'is needed: it holds the address',
    ],
    ['a sender of a chat', { smtp: undefined, to: undefined, chat: 'teams' }, 'is only for smtp'],
  ])('of people with %s is refused, and no value is repeated', (_name, more, problem) => {
    const mail = {
      name: 'mail',
      smtp: 'smtps://ann@m.example',
      from: 'b@x.example',
      to: 'f@x.example',
      secret_file: '/s',
    };
    const problems = problemsOf({ ...mail, ...more });
    expect(problems).toContain(problem);
    expect(problems).not.toContain('hush');
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

describe('the address of a channel', () => {
  const addressIn = (text: string) => {
    const secretFile = join(temporaryFolder(), 'address');
    writeFileSync(secretFile, text, { mode: 0o600 });
    return readTargetSecrets({ name: 'chat', chat: 'slack', events: [], secretFile });
  };

  it('is the content of its file, and counts as a secret', () => {
    expect(addressIn('https://hooks.example/T0/hush\n')).toEqual(['https://hooks.example/T0/hush']);
    expect(addressIn('http://127.0.0.1:9/x')).toEqual(['http://127.0.0.1:9/x']);
  });

  it.each(['http://hooks.example/hush', 'hush', 'file:///hush'])(
    'is refused when it is %s, without being shown',
    (text) => {
      const reading = (): unknown => addressIn(text);
      expect(reading).toThrow(expect.objectContaining({ code: 'NOTIFY_ADDRESS_INVALID' }));
      expect(reading).not.toThrow('hush');
    },
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
