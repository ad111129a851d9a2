import { describe, expect, it } from '@jest/globals';
import { BATCH_STATES } from '../../src/domain/batch/batch-state.ts';
import { HOLD_KINDS } from '../../src/domain/holds/hold.ts';
import { SHOWN_OUTCOMES } from '../../src/domain/settling/outcome.ts';
import { LANGUAGES, languageOf } from '../../src/web/texts/languages.ts';

type Leaf = readonly [path: string, value: unknown];

/** Every text of a catalogue with its path. */
const leavesOf = (value: unknown, path = ''): readonly Leaf[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, one]) => leavesOf(one, `${path}.${key}`))
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

  it('have a sentence for each try that the audit log records', () => {
    const tries = ['submit', 'resend', 'recover', 'approve', 'refuse', 'resume', 'resolve'];
    const runs = ['schedule-trigger', 'schedule-backfill'];
    const actions = [...tries, ...runs].flatMap((act) => [act, `${act}-rejected`]);
    expect(Object.keys(texts.audit.actions)).toEqual(
      expect.arrayContaining([...actions, 'sign-submit']),
    );
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
