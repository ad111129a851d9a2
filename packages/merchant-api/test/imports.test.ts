import { readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = resolve(import.meta.dirname, '..');
const ALLOWED_PACKAGES = ['lossless-json', 'undici', 'zod'];

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)'([^']+)'/g;

/** Everything that a source text imports, types included. */
const importsOf = (source: string): string[] =>
  [...source.matchAll(IMPORT)].map(([, specifier = '']) => specifier);

type Reached = { files: string[]; packages: string[] };

async function walk(entry: string): Promise<Reached> {
  const files = [resolve(ROOT, entry)];
  const packages = new Set<string>();
  for (const file of files) {
    for (const specifier of importsOf(await readFile(file, 'utf8'))) {
      const target = resolve(dirname(file), specifier);
      if (!specifier.startsWith('.')) packages.add(specifier);
      else if (!files.includes(target)) files.push(target);
    }
  }
  return { files: files.map((file) => relative(ROOT, file)), packages: [...packages] };
}

describe('@bursar/merchant-api', () => {
  it('is what package.json exports', async () => {
    const text = await readFile(resolve(ROOT, 'package.json'), 'utf8');
    expect(JSON.parse(text)).toMatchObject({
      exports: { '.': { default: './build/index.js' } },
    });
  });

  it('reaches nothing but itself and the spec', async () => {
    const { files } = await walk('src/index.ts');
    expect(files.filter((file) => !file.startsWith('src/'))).toEqual([]);
    // A walk that finds too little proves nothing.
    expect(files).toContain('src/transport/exchange.ts');
    expect(files).toContain('src/spec/endpoints.ts');
  });

  it('pulls in three packages and nothing of Temporal', async () => {
    const { packages } = await walk('src/index.ts');
    const fromNpm = packages.filter((name) => !builtinModules.includes(name.replace(/^node:/, '')));
    expect(fromNpm.sort()).toEqual(ALLOWED_PACKAGES);
  });
});

describe('the walk above', () => {
  it.each([
    ["import { proxyActivities } from '@temporalio/workflow';", ['@temporalio/workflow']],
    ["import type { A } from\n  '../domain/a.ts';", ['../domain/a.ts']],
    ["export * from './b.ts';", ['./b.ts']],
    ["import 'side-effect';", ['side-effect']],
    ["const c = await import('lazy');", ['lazy']],
  ])('sees %s', (source, specifiers) => {
    expect(importsOf(source)).toEqual(specifiers);
  });
});
