import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from '@jest/globals';
import MiniSearch from 'minisearch';
// @ts-expect-error scripts are JavaScript without types.
import { deadLinks } from '../../scripts/docs-site/dead-links.mjs';
// @ts-expect-error scripts are JavaScript without types.
import { readPage } from '../../scripts/docs-site/page.mjs';
// @ts-expect-error scripts are JavaScript without types.
import { SEARCH_OPTIONS } from '../../scripts/docs-site/search-options.mjs';
import { ROOT } from '../architecture/repository.ts';

const folder = mkdtempSync(join(tmpdir(), 'docs-site-'));
afterAll(() => rmSync(folder, { recursive: true }));

const readSite = (place: string): string => readFileSync(join(folder, place), 'utf8');

it('the documentation becomes a site without a dead link, in which words are found', async () => {
  const script = join(ROOT, 'scripts/docs-site.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [script, folder]);
  expect(stdout).toMatch(/ \d\d pages, 0 dead links\n$/);
  expect(readdirSync(folder)).toEqual(
    expect.arrayContaining(['index.html', 'docs', 'site.css', 'site.js', 'minisearch.js']),
  );
  expect(readSite('docs/payout-file.html')).toContain('<a href="../index.html">Bursar</a>');
  const index = MiniSearch.loadJSON(readSite('search.json'), SEARCH_OPTIONS);
  const places = index.search('decimal comma amount').map(({ id }) => id);
  expect(places.some((place) => place.startsWith('docs/payout-file.html'))).toBe(true);
});

describe('a page', () => {
  const page = (path: string, text: string) => readPage(path, text);

  it.each([
    ['[a](b.md#c)', '<a href="b.html#c">a</a>'],
    ['[a](../README.md)', '<a href="../index.html">a</a>'],
    [
      '[a](https://a.example/?b=1&c)',
      '<a href="https://a.example/?b=1&amp;c" rel="noopener">a</a>',
    ],
    ['[a](../test/b.test.ts)', '<span title="test/b.test.ts">a</span>'],
    ['![a](images/b.png)', '<img src="images/b.png" alt="a" loading="lazy">'],
    ['a <b onclick="c()">d</b>', 'a &lt;b onclick=&quot;c()&quot;&gt;d&lt;/b&gt;'],
    ['<script>a()</script>', '&lt;script&gt;a()&lt;/script&gt;'],
  ])('of %j has %j', (text, html) => {
    expect(
      page('docs/a.md', text)
        .html.trim()
        .replace(/^<p>|<\/p>$/g, ''),
    ).toBe(html);
  });

  it('has its sections for the search, without the signs of Markdown', () => {
    const { title, sections } = page(
      'docs/a.md',
      '# A `b`\n\nOne **two**.\n\n## C: d\n\n| e | f |\n',
    );
    expect([title, sections]).toEqual([
      'A b',
      [
        { id: 'a-b', heading: 'A b', text: 'One two.' },
        { id: 'c-d', heading: 'C: d', text: 'e f' },
      ],
    ]);
  });

  it('that links to no page, no heading or no image is named', () => {
    const pages = [
      page('README.md', '[a](docs/b.md) [c](docs/c.md) [d](docs/b.md#e) ![f](f.png) ![g](g.png)'),
      page('docs/b.md', '# B\n\n[b](#b) [h](../README.md)'),
    ];
    expect(deadLinks(pages, (image: string) => image === 'f.png')).toEqual([
      'README.md: no page has docs/c.html',
      'README.md: no page has docs/b.html#e',
      'README.md: there is no g.png',
    ]);
  });
});
