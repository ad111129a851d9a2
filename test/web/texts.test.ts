import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { STEPS } from '../../src/domain/audit/actions.ts';
import { BATCH_STATES } from '../../src/domain/batch/batch-state.ts';
import { HOLD_KINDS } from '../../src/domain/holds/hold.ts';
import { SHOWN_OUTCOMES } from '../../src/domain/settling/outcome.ts';
import { LANGUAGES, languageOf } from '../../src/web/texts/languages.ts';

/** The folders of code that writes entries of the audit log. */
const WRITERS = ['activities', 'operations', 'store'];

/** Every action in the source that the audit log shows to people. */
function shownActions(): readonly string[] {
  const files = WRITERS.flatMap((folder) =>
    readdirSync(`src/${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(`src/${folder}/${name}`, 'utf8')),
  );
  const named = files.flatMap((text) =>
    [...text.matchAll(/\baction: '([a-z-]+)'/g)].map(([, action]) => action ?? ''),
  );
  return [...new Set(named)].filter((action) => !STEPS.includes(action));
}

/** Actions whose refusal the audit log has too, as `approve-rejected`. */
const REFUSABLE = [
  ...['approve', 'refuse', 'resume', 'resolve', 'submit', 'resend', 'recover'],
  ...['schedule-trigger', 'schedule-backfill'],
];

type Leaf = readonly [path: string, value: unknown];

/** Every text of a catalogue with its path. Errors have a test of their own: English pages have the sentences of the server. */
const leavesOf = (value: unknown, path = ''): readonly Leaf[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, one]) =>
        path === '' && key === 'errors' ? [] : leavesOf(one, `${path}.${key}`),
      )
    : [[path, value]];

const shown = (value: unknown): string =>
  typeof value === 'function'
    ? (value as (...given: readonly string[]) => string)('1', '2', '3')
    : String(value);

describe.each(Object.entries(LANGUAGES))('the texts in %s', (_name, texts) => {
  const leaves = leavesOf(texts);

  it('have every key of the English ones, and no other', () => {
    const english = leavesOf(LANGUAGES.en).map(([path]) => path);
    expect(leaves.map(([path]) => path)).toEqual(english);
    expect(leaves.length).toBeGreaterThan(300);
  });

  it('are whole sentences and words', () => {
    const odd = leaves.filter(
      ([, value]) => !/\S/.test(shown(value)) || shown(value).includes('undefined'),
    );
    expect(odd).toEqual([]);
  });

  it('have a word for every state, outcome and hold', () => {
    for (const code of [...BATCH_STATES, ...SHOWN_OUTCOMES])
      expect(texts.states[code]).toMatch(/\w/);
    for (const state of BATCH_STATES) expect(texts.batch.notes[state]).toMatch(/\.$/);
    for (const kind of HOLD_KINDS) expect(texts.holds.kinds[kind]).toMatch(/\w/);
  });

  it('have a sentence for every action that the audit log shows', () => {
    const actions = [...shownActions(), ...REFUSABLE.map((action) => `${action}-rejected`)];
    expect(actions.length).toBeGreaterThan(30);
    expect(actions.filter((action) => !(action in texts.audit.actions))).toEqual([]);
  });

  it('show no code and no word of the engine', () => {
    const codes = /\b[A-Z]{3,}_[A-Z]+\b|\b(?:chunk|partition|digest|idempoten\w*|settl\w*)\b/i;
    const own = leaves.filter(([path]) => !path.includes('.kinds.'));
    expect(own.filter(([, value]) => codes.test(shown(value)))).toEqual([]);
  });
});

it('a German translation differs from the English one wherever it is a sentence', () => {
  const english = new Map(leavesOf(LANGUAGES.en));
  const same = leavesOf(LANGUAGES.de).filter(
    ([path, value]) =>
      shown(value).split(' ').length > 3 && shown(english.get(path)) === shown(value),
  );
  expect(same).toEqual([]);
});

it.each([
  [['de-AT', 'en'], 'de'],
  [['fr', 'de'], 'de'],
  [['fr-FR'], 'en'],
  [['', 'EN-us'], 'en'],
  [['__proto__'], 'en'],
])('a browser that wants %j reads %s', (wanted, language) => {
  expect(languageOf(wanted)).toBe(language);
});
