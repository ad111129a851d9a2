/**
 * Pays a batch over each plausible service, and writes docs/matrix.md. `--only TEXT` runs the rows whose name has the text,
 * and prints their table.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from './built.mjs';

const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;
const table =
  only === undefined
    ? join(ROOT, 'docs/matrix.md')
    : join(mkdtempSync(join(tmpdir(), 'bursar-matrix-')), 'matrix.md');

const { status } = spawnSync(
  'npm',
  // The second "--" ends the list of projects.
  [
    'run',
    '--silent',
    'jest',
    '--',
    '--selectProjects',
    'slow',
    '--',
    'test/scenarios/matrix.test.ts',
  ],
  {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, BURSAR_MATRIX_ONLY: only ?? '', BURSAR_MATRIX_TABLE: table },
  },
);
console.log(readFileSync(table, 'utf8'));
process.exitCode = status ?? 1;
