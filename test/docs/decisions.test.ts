import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT, read } from '../architecture/repository.ts';
import { citedIn, isTestThere } from './support/cited-tests.ts';

/** More than this many decisions are not read by a newcomer: merge some, or drop what is no decision any more. */
const DECISIONS_MAX = 60;

const FOLDER = 'docs/decisions';
const INDEX = 'README.md';
const PARTS = ['**Context.**', '**Decision.**', '**Consequence.**', '**Held by**'] as const;

const pages = readdirSync(join(ROOT, FOLDER)).filter((page) => page !== INDEX);

const decisions = pages.flatMap((page) =>
  read(`${FOLDER}/${page}`)
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = '', ...lines] = section.split('\n');
      return { page, title, text: lines.join(' ').replaceAll(/\s+/g, ' ') };
    }),
);

const heldBy = (text: string): string => text.slice(text.indexOf('**Held by**'));

describe('the decisions', () => {
  it('stand on pages that the index lists, each with a link', () => {
    const linked = [...read(`${FOLDER}/${INDEX}`).matchAll(/^\| \[[^\]]+\]\(([a-z-]+\.md)\) \|/gm)];
    expect(new Set(linked.map(([, page]) => page))).toEqual(new Set(pages));
    expect(linked).toHaveLength(pages.length);
  });

  it('are few, and each has a title of its own', () => {
    const titles = decisions.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
    expect(titles.length).toBeGreaterThan(pages.length);
    expect(titles.length).toBeLessThanOrEqual(DECISIONS_MAX);
  });

  it('have context, decision, consequence and tests, in this order and each once', () => {
    const parts = /\*\*(?:Context\.|Decision\.|Consequence\.|Held by)\*\*/g;
    const wrong = decisions.filter(({ text }) => text.match(parts)?.join() !== PARTS.join());
    expect(wrong.map(({ title }) => title)).toEqual([]);
  });

  it('cite tests that exist, and all that stands behind "Held by" is such a test', () => {
    const cited = decisions.map(({ title, text }) => ({ title, tests: citedIn(heldBy(text)) }));
    const lost = cited.flatMap(({ title, tests }) =>
      tests.filter((test) => !isTestThere(test)).map((test) => ({ title, ...test })),
    );
    expect(lost).toEqual([]);
    const files = decisions.map(({ title, text }) => ({
      title,
      files: new Set(heldBy(text).match(/`[^`]+`/g)).size,
    }));
    expect(cited.map(({ title, tests }) => ({ title, files: filesOf(tests) }))).toEqual(files);
    expect(cited.filter(({ tests }) => tests.length === 0)).toEqual([]);
  });
});

const filesOf = (tests: readonly Readonly<{ file: string }>[]): number =>
  new Set(tests.map(({ file }) => file)).size;
