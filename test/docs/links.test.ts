import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';
import { ROOT, read } from '../architecture/repository.ts';
import { anchorsOf, linksOf } from './support/links.ts';

const SKIPPED = /^(?:\..*|node_modules|build)$/;

/** Every page of a folder and of those in it. */
const pagesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.test(entry.name) ? [] : pagesIn(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });

const pages = pagesIn('.');

/** Whether the file of a link is there, and its heading where the link names one. */
function isThere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (target.startsWith('..') || !existsSync(join(ROOT, target))) return false;
  return anchor === undefined || !target.endsWith('.md') || anchorsOf(read(target)).has(anchor);
}

it('every relative link of every page leads to a file, and to a heading where it names one', () => {
  const links = pages.flatMap((page) => linksOf(read(page)).map((link) => ({ page, link })));
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter(({ page, link }) => !isThere(page, link))).toEqual([]);
});

it('no page names a folder of one machine', () => {
  const named = pages.filter((page) => /(?<![\w.])\/(?:home|root|Users|work)\//.test(read(page)));
  expect(named).toEqual([]);
});

it.each([
  ['[a](b.md)', ['b.md']],
  ['![a](b.png) and [c](d.md#e)', ['b.png', 'd.md#e']],
  ['[a]: b.md', ['b.md']],
  ['[a](https://a.example/b) [c](mailto:a@b.example)', []],
  ['`[a](b.md)`', []],
  ['```\n[a](b.md)\n```', []],
])('%j has the links %j', (text, links) => {
  expect(linksOf(text)).toEqual(links);
});

it('headings have the anchors that a reader of Markdown gives them', () => {
  const text = '# One `two`, three\n\n## A: b\n\n## A: b\n\n```\n# no heading\n```\n';
  expect([...anchorsOf(text)]).toEqual(['one-two-three', 'a-b', 'a-b-1']);
});
