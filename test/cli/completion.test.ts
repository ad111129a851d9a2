import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeWorld } from './support/fake-world.ts';

async function scriptOf(shell: string): Promise<string> {
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  const { code, out } = await fakeWorld({ cwd: folder }).run('completion', shell);
  expect(code).toBe(0);
  const file = join(folder, `bursar.${shell}`);
  writeFileSync(file, out);
  return file;
}

const hasShell = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;

/** The words that bash offers for the last word of a line. */
function offered(file: string, words: readonly string[]): string[] {
  const program =
    'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _bursar; printf "%s\\n" "${COMPREPLY[@]}"';
  const { stdout, stderr } = spawnSync('bash', ['-c', program, 'bash', file, 'bursar', ...words], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((word) => word !== '');
}

describe('bursar completion bash', () => {
  it('completes commands, subcommands, flags and their values', async () => {
    const file = await scriptOf('bash');
    expect(offered(file, ['sub'])).toEqual(['submit']);
    expect(offered(file, ['submit', '--det'])).toEqual(['--detach']);
    expect(offered(file, ['keys', ''])).toEqual(['new', 'show', 'ring']);
    expect(offered(file, ['-o', 'json', 'sandbox', 'fau'])).toEqual(['faults']);
    expect(offered(file, ['sandbox', 'faults', 'add', '--targ'])).toEqual(['--target']);
    expect(offered(file, ['plan', 'x.csv', '--outp'])).toEqual(['--output']);
    expect(offered(file, ['list', '-o', 'js'])).toEqual(['json', 'jsonl']);
    expect(offered(file, ['completion', ''])).toEqual(['bash', 'zsh', 'fish']);
    expect(offered(file, ['run-temp'])).toEqual([]);
  });
});

/** The words that zsh is given for the last word of a line. zsh itself keeps those that fit. */
const ZSH = `
compdef() { :; }
compadd() { shift; print -l -- "$@"; }
_files() { print files; }
source "$1"; shift
words=("$@"); CURRENT=$#; PREFIX="\${words[CURRENT]}"
_bursar`;

(hasShell('zsh') ? it : it.skip)('bursar completion zsh offers what can follow', async () => {
  const file = await scriptOf('zsh');
  const offer = (...words: string[]) => {
    const args = ['-f', '-c', ZSH, 'zsh', file, 'bursar', ...words];
    const { stdout, stderr } = spawnSync('zsh', args, { encoding: 'utf8' });
    expect(stderr).toBe('');
    return stdout.trim().split('\n');
  };
  expect(offer('sub')).toContain('submit');
  expect(offer('keys', '')).toEqual(['new', 'show', 'ring']);
  expect(offer('submit', '--det')).toContain('--detach');
  expect(offer('list', '-o', '')).toEqual(['text', 'json', 'jsonl']);
  expect(offer('plan', '')).toEqual(['files']);
});

(hasShell('fish') ? it : it.skip)('bursar completion fish completes with help', async () => {
  const file = await scriptOf('fish');
  const offer = (line: string) => {
    const args = ['--no-config', '-c', 'source $argv[1]; complete -C $argv[2]', file, line];
    const { stdout, stderr } = spawnSync('fish', args, { encoding: 'utf8' });
    expect(stderr).toBe('');
    return stdout.trim().split('\n');
  };
  expect(offer('bursar subm')).toEqual(['submit\tpay a file']);
  expect(offer('bursar submit --det')).toEqual([expect.stringMatching(/^--detach\t/)]);
  expect(offer('bursar keys ').map((line) => line.split('\t')[0])).toEqual(['new', 'ring', 'show']);
  expect(offer('bursar list -o js')).toEqual([
    expect.stringMatching(/^json/),
    expect.stringMatching(/^jsonl/),
  ]);
});

it('bursar completion refuses another shell, with those that are known', async () => {
  const { code, err } = await fakeWorld({ cwd: temporaryFolder() }).run('completion', 'powershell');
  expect([code, err]).toEqual([2, expect.stringContaining('bash, zsh, fish')]);
});
