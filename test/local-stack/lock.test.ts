import { expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { lockFolder } from '../../src/local-stack/lock.ts';
import { newFolder, REPOSITORY } from './support/folders.ts';

it('lets one into a folder, and the next one when the first has left', () => {
  const folder = newFolder();
  const first = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow(
    expect.objectContaining({
      code: 'STACK_RUNNING',
      facts: { folder },
    }),
  );
  first.release();
  first.release();
  lockFolder(folder).release();
});

it('does not keep two folders from each other', () => {
  const locks = [newFolder(), newFolder()].map(lockFolder);
  for (const lock of locks) lock.release();
  expect(locks).toHaveLength(2);
});

it('is free again when the process that held it was killed', async () => {
  const folder = newFolder();
  const module = pathToFileURL(join(REPOSITORY, 'build/src/local-stack/lock.js')).href;
  const text = `const { lockFolder } = await import(${JSON.stringify(module)});
    lockFolder(${JSON.stringify(folder)}); console.log('locked'); setInterval(() => {}, 1e5);`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', text], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  expect(() => lockFolder(folder)).toThrow(expect.objectContaining({ code: 'STACK_RUNNING' }));
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  lockFolder(folder).release();
});
