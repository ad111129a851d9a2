import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { read, ROOT } from './repository.ts';

type Room = Readonly<{ from: string; src: string[]; ambient: 'ES only' | 'node' | 'browser' }>;
type Project = Readonly<{
  references?: { path: string }[];
  compilerOptions?: { types?: string[]; lib?: string[] };
}>;

const ROOMS: Room[] = JSON.parse(read('scripts/import-table.json'));

/** Runs the check of scripts/import-rules.mjs in a folder. */
function check(cwd: string): { passes: boolean; output: string } {
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(ROOT, 'scripts/import-rules.mjs'), '--check'],
    { cwd, encoding: 'utf8' },
  );
  return { passes: status === 0, output: stderr };
}

/** A copy of all files that the check reads, with a table that was changed. */
function copyWith(change: (rooms: Room[]) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-rules-'));
  const { references = [] }: Project = JSON.parse(read('tsconfig.json'));
  const projects = references.map(({ path }) =>
    path.endsWith('.json') ? path : `${path}/tsconfig.json`,
  );
  for (const file of ['.oxlintrc.json', 'ARCHITECTURE.md', ...projects]) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    cpSync(join(ROOT, file), join(folder, file));
  }
  const rooms: Room[] = structuredClone(ROOMS);
  change(rooms);
  mkdirSync(join(folder, 'scripts'));
  writeFileSync(join(folder, 'scripts/import-table.json'), JSON.stringify(rooms));
  return folder;
}

describe('the import table', () => {
  it('is the same for the compiler, the linter and ARCHITECTURE.md', () => {
    expect(check(ROOT)).toEqual({ passes: true, output: '' });
  });

  it('differs from all three after an arrow was added', () => {
    const folder = copyWith((rooms) => {
      rooms.find(({ from }) => from === 'domain')?.src.push('merchant-api');
    });
    const { passes, output } = check(folder);
    expect(passes).toBe(false);
    for (const file of ['src/domain/tsconfig.json', '.oxlintrc.json', 'ARCHITECTURE.md']) {
      expect(output).toContain(`${file} differs`);
    }
    rmSync(folder, { recursive: true });
  });

  it.each(ROOMS.map((room) => [room.from, room] as const))(
    'gives %s its ambient types and no other',
    (from, { ambient }) => {
      const { compilerOptions }: Project = JSON.parse(readFileSync(projectFile(from), 'utf8'));
      const base: Project = JSON.parse(read('tsconfig.base.json'));
      const types = compilerOptions?.types ?? base.compilerOptions?.types;
      expect(types).toEqual(ambient === 'node' ? ['node'] : []);
      const lib = compilerOptions?.lib ?? base.compilerOptions?.lib ?? [];
      expect(lib.includes('dom')).toBe(ambient === 'browser');
    },
  );
});

/** Rooms are folders of src or of packages. */
function projectFile(from: string): string {
  const { references = [] }: Project = JSON.parse(read('tsconfig.json'));
  const own = from === 'main' ? './src' : from === 'config' ? 'tsconfig.config.json' : `/${from}`;
  const path = references.find((one) => one.path.endsWith(own))?.path ?? 'missing';
  return join(ROOT, path.endsWith('.json') ? path : `${path}/tsconfig.json`);
}
