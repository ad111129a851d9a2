import { expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { takeDataFolder } from '../../src/local-stack/data-folder.ts';
import { servesNamespace } from '../../src/local-stack/temporal/namespace.ts';
import { startTemporalAlone } from '../../src/local-stack/temporal/alone.ts';
import { newFolder } from './support/folders.ts';
import { isAlive } from './support/processes.ts';

it('starts Temporal alone, keeps its data, and leaves the folder to the next one', async () => {
  const cwd = newFolder();
  const said: string[] = [];
  const temporal = await startTemporalAlone({
    env: process.env,
    cwd,
    ports: { grpc: 0, ui: 0 },
    say: (line) => said.push(line),
  });
  const [, address = ''] =
    /^temporal ready at (127\.0\.0\.1:\d+), web UI at http:/.exec(said[0] ?? '') ?? [];
  expect(await servesNamespace(address)).toBe(true);
  expect(() => takeDataFolder(cwd)).toThrow(expect.objectContaining({ code: 'STACK_RUNNING' }));
  await temporal.stop();
  expect(isAlive(temporal.pid)).toBe(false);
  expect(existsSync(join(cwd, '.bursar/temporal.db'))).toBe(true);
  takeDataFolder(cwd).release();
});
