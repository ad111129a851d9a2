import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { viewsAt } from '../../src/operations/engine/views.ts';
import { SEARCH_ATTRIBUTES } from '../../src/contract/names.ts';
import { ROOT, read } from '../architecture/repository.ts';

type AttributeType = (typeof SEARCH_ATTRIBUTES)[keyof typeof SEARCH_ATTRIBUTES];

const attributes = Object.entries(SEARCH_ATTRIBUTES);
const text = read('docs/web-ui.md');

/** `KEYWORD_LIST` as Temporal's command line writes it. */
const FLAG_TYPES: Readonly<Record<AttributeType, string>> = {
  KEYWORD: 'Keyword',
  KEYWORD_LIST: 'KeywordList',
  INT: 'Int',
  BOOL: 'Bool',
  DATETIME: 'Datetime',
};

describe('search attributes', () => {
  it('fit into the columns that a server has whose lists are kept in SQL', () => {
    const counts = new Map<string, number>();
    for (const [, type] of attributes) counts.set(type, (counts.get(type) ?? 0) + 1);
    for (const [type, count] of counts) {
      expect([type, count <= (type === 'KEYWORD' ? 10 : 3)]).toEqual([type, true]);
    }
  });

  it('are those that a new local server is given', () => {
    const { services } = parse(read('temporal-dev.yml'), { merge: true });
    const flags = (services.temporal.command as string[])
      .filter((flag) => flag.startsWith('--search-attribute='))
      .map((flag) => flag.replace('--search-attribute=', ''));
    expect(flags).toEqual(attributes.map(([name, type]) => `${name}=${FLAG_TYPES[type]}`));
  });

  it('are described, each with its type, and no others', () => {
    const rows = [...text.matchAll(/^\| `(Bursar\w+)` \| `([A-Z_]+)` \| .+ \|$/gm)];
    expect(rows.map(([, name, type]) => [name, type])).toEqual(attributes);
  });

  it('are the only ones that views use', () => {
    const queries = viewsAt(0, 'UTC').map(({ query }) => query);
    const asked = queries.flatMap((query) => query.match(/Bursar\w+/g) ?? []);
    expect(asked.length).toBeGreaterThan(4);
    expect(Object.keys(SEARCH_ATTRIBUTES)).toEqual(expect.arrayContaining(asked));
  });
});

describe('the description of the web UI', () => {
  it('shows pictures that are there', () => {
    const pictures = [...text.matchAll(/!\[.+\]\((.+)\)/g)].map(([, path = '']) => path);
    expect(pictures).toHaveLength(4);
    for (const picture of pictures) expect(existsSync(join(ROOT, 'docs', picture))).toBe(true);
  });

  it('names every view that is kept', () => {
    for (const { name } of viewsAt(0, 'UTC').filter(({ lasts }) => lasts)) {
      expect(text.replaceAll('\n', ' ')).toContain(name.replace('Bursar: ', ''));
    }
  });
});
