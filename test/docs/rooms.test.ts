import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT, read } from '../architecture/repository.ts';

/** More lines than this and a README is a manual, which belongs into docs. */
const LINES_MAX = 45;

/** The rooms whose READMEs have the form of this test. */
const ROOMS = [
  'domain',
  'store',
  'activities',
  'workflows',
  'contract',
  'config',
  'operations',
  'app',
  'http-api',
  'web',
  'cli',
  'doctor',
  'files',
  'ingest',
  'report',
  'monitoring',
];

describe.each(ROOMS)('the README of src/%s', (room) => {
  const text = read(`src/${room}/README.md`);

  it('is short, and names the promise of the room, the place to start, and the acts to avoid', () => {
    expect(text.split('\n').length).toBeLessThanOrEqual(LINES_MAX);
    for (const part of [/^\*\*It promises:\*\*/m, /\bStart with\b/, /^\*\*Never:\*\*/m]) {
      expect(text).toMatch(part);
    }
  });

  it('names files and folders that are there', () => {
    const named = [...text.matchAll(/`((?:\.\.\/|src\/|test\/|[a-z-]+\/)*[a-z-]+(?:\.ts|\/))`/g)];
    expect(named.length).toBeGreaterThan(2);
    const lost = named.map(([, path = '']) => path).filter((path) => !isThere(room, path));
    expect(lost).toEqual([]);
  });

  it('names types that their files export', () => {
    const named = [...text.matchAll(/`([A-Z]\w+)` (?:\(`([^`]+\.ts)`\)|in `([^`]+\.ts)`)/g)];
    const lost = named.filter(([, type = '', near, far = '']) => {
      const file = near === undefined ? far : join('src', room, near);
      return !new RegExp(String.raw`^export (?:type|interface|const|class) ${type}\b`, 'm').test(
        read(file),
      );
    });
    expect(lost.map(([name]) => name)).toEqual([]);
  });

  it('names every folder of the room, where it lists folders', () => {
    if (!text.includes('| Folder | |')) return;
    const folders = readdirSync(join(ROOT, 'src', room), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `\`${name}/\``);
    expect(folders.filter((folder) => !text.includes(folder))).toEqual([]);
  });
});

/** Paths count from the room, or from the root when they begin with `src` or `test`. */
function isThere(room: string, path: string): boolean {
  const folder = /^(?:src|test)\//.test(path) ? ROOT : join(ROOT, 'src', room);
  return existsSync(join(folder, path));
}
