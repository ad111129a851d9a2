import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
// @ts-expect-error scripts run before anything is compiled, so they are JavaScript without types.
import { shrinkwrapOf } from '../../scripts/shrinkwrap.mjs';
import { REPOSITORY } from '../local-stack/support/folders.ts';

const readJson = (file: string) => JSON.parse(readFileSync(join(REPOSITORY, file), 'utf8'));

describe('the lock in a tarball', () => {
  const lock = readJson('package-lock.json');
  const { packages } = shrinkwrapOf(lock);
  const { name, version, dependencies, scripts, files } = readJson('package.json');

  it('has each package that Bursar needs to run, with the version that was tested', () => {
    const ours = (dependency: string): boolean => dependency.startsWith('@bursar/');
    const needed = Object.keys(dependencies).filter((dependency) => !ours(dependency));
    for (const dependency of needed) {
      const place = `node_modules/${dependency}`;
      expect(packages[place]).toEqual(lock.packages[place]);
      expect(packages[place].integrity).toMatch(/^sha512-/);
    }
  });

  it('has nothing for development, and no link into a clone', () => {
    expect(packages['']).toMatchObject({ name, version, dependencies });
    expect(packages['']).not.toHaveProperty('devDependencies');
    expect(packages).not.toHaveProperty('node_modules/jest');
    expect(Object.values<object>(packages).filter((entry) => 'link' in entry)).toEqual([]);
    expect(Object.keys(packages).filter((place) => place.startsWith('packages/'))).toEqual([]);
    expect(packages).not.toHaveProperty('node_modules/@bursar/conformance');
  });

  it('has the packages of the repository by their versions', () => {
    for (const ours of ['@bursar/merchant-api', '@bursar/sandbox']) {
      expect(packages[`node_modules/${ours}`]).toMatchObject({ version: dependencies[ours] });
    }
  });

  it('is made while a tarball is packed, and the clone keeps one lockfile', () => {
    expect(files).toContain('npm-shrinkwrap.json');
    expect(scripts).toMatchObject({
      prepack: 'node scripts/shrinkwrap.mjs make',
      postpack: 'node scripts/shrinkwrap.mjs remove',
    });
    expect(readFileSync(join(REPOSITORY, '.gitignore'), 'utf8')).toMatch(/^npm-shrinkwrap\.json$/m);
  });
});
