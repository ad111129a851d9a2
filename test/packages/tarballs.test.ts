import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { publint } from 'publint';

const ROOT = resolve(import.meta.dirname, '../..');
const PACKAGES = ['merchant-api', 'sandbox', 'conformance'];

/** Every file of a tarball is one of these: an output of `tsc` or a file about the package. */
const BUILT = /^build\/.+\.(?:js|d\.ts)$/;
const ABOUT = ['LICENSE', 'README.md', 'package.json'];

/** The page of the sandbox's console, which its server reads as it is. */
const PAGE = /^src\/console\/(?:index\.html|styles\/[a-z-]+\.css)$/;

const folderOf = (name: string): string => resolve(ROOT, 'packages', name);

function filesOf(name: string): string[] {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const output = execFileSync('npm', args, {
    cwd: folderOf(name),
    encoding: 'utf8',
    stdio: 'pipe',
  });
  const [tarball] = JSON.parse(output) as { files: { path: string }[] }[];
  return (tarball?.files ?? []).map(({ path }) => path);
}

describe.each(PACKAGES)('the tarball of %s', (name) => {
  const files = filesOf(name);

  it('holds built files, README, LICENSE, package.json and no others', () => {
    const others = files.filter((file) => !BUILT.test(file) && !ABOUT.includes(file));
    expect(others.filter((file) => name !== 'sandbox' || !PAGE.test(file))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(ABOUT));
  });

  it('names no source map that it does not hold', () => {
    const built = files.filter((file) => file.endsWith('.js'));
    const mapped = built.filter((file) =>
      readFileSync(resolve(folderOf(name), file), 'utf8').includes('//# sourceMappingURL'),
    );
    expect(mapped).toEqual([]);
  });

  it('has a package.json without a remark of publint', async () => {
    const { messages } = await publint({ pkgDir: folderOf(name), strict: true, pack: 'npm' });
    expect(messages).toEqual([]);
  });

  it('has the license of the project', () => {
    const license = readFileSync(resolve(folderOf(name), 'LICENSE'), 'utf8');
    expect(license).toBe(readFileSync(resolve(ROOT, 'LICENSE'), 'utf8'));
  });
});

describe('the tarball of the sandbox', () => {
  it('holds the page of its console', () => {
    expect(filesOf('sandbox').filter((file) => PAGE.test(file))).toContain(
      'src/console/index.html',
    );
  });
});
