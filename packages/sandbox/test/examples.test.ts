import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from './support/start.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** The files of the examples: each code block follows the name of its file. */
const FILES = [
  ...README.matchAll(/`([\w.]+\.js)`[^`]*(?:`[^`]*`[^`]*)?:\n\n```js\n([^]*?)```/g),
].map(([, name = '', code = '']) => ({ name, code }));

const EXACT = ['vitest@3.2.4', 'jest@30.2.0', '@jest/globals@30.2.0'];

/** Installing takes minutes where the computer is busy. */
const TIMEOUT_MS = 600_000;

/** An empty project with the packed packages, as another team has it. */
async function project(): Promise<string> {
  const folder = await temporaryFolder();
  const packages = ['packages/merchant-api', 'packages/sandbox'].flatMap((name) => ['-w', name]);
  const pack = ['pack', ...packages, '--json', '--pack-destination', folder];
  const packed = JSON.parse(execFileSync('npm', pack, { cwd: ROOT, encoding: 'utf8' })) as {
    filename: string;
  }[];
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const tarballs = packed.map(({ filename }) => join(folder, filename));
  const install = ['install', '--no-audit', '--no-fund', ...tarballs, ...EXACT];
  execFileSync('npm', install, { cwd: folder, stdio: 'pipe' });
  for (const { name, code } of FILES) await writeFile(join(folder, name), code);
  return folder;
}

describe('the examples of the README, in an empty project', () => {
  it('are four files', () => {
    expect(FILES.map(({ name }) => name)).toEqual([
      'call.js',
      'payout.node.js',
      'payout.vitest.test.js',
      'payout.jest.test.js',
    ]);
  });

  it(
    'pass in node:test, vitest and jest',
    async () => {
      const folder = await project();
      const run = (command: string, ...args: string[]): string =>
        execFileSync(command, args, {
          cwd: folder,
          encoding: 'utf8',
          env: { PATH: process.env['PATH'], NODE_OPTIONS: '--experimental-vm-modules', CI: '1' },
          stdio: 'pipe',
        });
      expect(run('node', '--test', 'payout.node.js')).toMatch(/pass 1\n/);
      expect(run('npx', 'vitest', 'run', 'payout.vitest')).toMatch(/1 passed/);
      run('npx', 'jest', 'payout.jest');
    },
    TIMEOUT_MS,
  );
});
