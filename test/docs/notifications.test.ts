import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { hookEnvOf } from '../../src/activities/notifications/targets.ts';
import { parse } from 'smol-toml';
import { readSettings } from '../../src/config.ts';
import { NOTIFY_EVENTS } from '../../src/domain/notify/events.ts';

const text = readFileSync(
  fileURLToPath(new URL('../../docs/notifications.md', import.meta.url)),
  'utf8',
);

it('every event is described, and no other', () => {
  const rows = [...text.matchAll(/^\| `([a-z_.]+)` \| (.+) \|$/gm)].map(([, name, tells]) => [
    name,
    tells,
  ]);
  expect(rows).toEqual(Object.entries(NOTIFY_EVENTS).map(([name, { tells }]) => [name, tells]));
});

it('every event is sent by a part of the engine', () => {
  const folder = fileURLToPath(new URL('../../src/', import.meta.url));
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('notify/events.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
  const untold = Object.keys(NOTIFY_EVENTS).filter(
    (event) => !sources.some((source) => source.includes(`'${event}'`)),
  );
  expect(untold).toEqual([]);
});

it('the settings that are shown are accepted', () => {
  const [, toml = ''] = /```toml\n([^`]+)```/.exec(text) ?? [];
  expect(Object.keys(parse(toml))).toEqual(['notify']);
  const { notify, warnings } = readSettings({
    env: {},
    cwd: '/',
    toml: { text: toml, path: '/etc/bursar.toml' },
  });
  expect(notify.targets.map(({ name }) => name)).toEqual(['finance', 'pager']);
  expect(warnings).toEqual([]);
});

it('the environment of commands is documented as it is', () => {
  const all = new Proxy({}, { get: () => 'x' });
  const told = Object.keys(hookEnvOf(all)).map((name) => `\`${name}\``);
  expect(text).toContain(told.join(', '));
});
