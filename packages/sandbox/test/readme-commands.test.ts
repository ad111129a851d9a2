import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { startSandbox } from './support/start.ts';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

const commands = [
  ...README.matchAll(
    /^curl -X (\w+) http:\/\/127\.0\.0\.1:8788(\S+) -H 'Content-Type: application\/json' \\\n {2}-d '(.*)'$/gm,
  ),
].map(([, method = '', path = '', body = '']) => ({ method, path, body }));

it('every command of the README is of a form that is tried here', () => {
  expect(commands).toHaveLength([...README.matchAll(/^curl -X /gm)].length);
  expect(commands.map(({ path }) => path)).toContain('/sandbox/events');
});

it.each(commands)('$method $path of the README works', async ({ method, path, body }) => {
  const { client } = await startSandbox();
  const { status, text } = await client.admin(method, path, JSON.parse(body));
  expect([status, text]).toEqual([200, expect.any(String)]);
});
