import { describe, expect, it } from '@jest/globals';
import {
  keptOf,
  keptText,
  mayLoseRows,
  type PruneFacts,
  sizeText,
} from '../../../src/domain/retention/prune-rule.ts';

const DAY_MS = 86_400_000;
const TIMES = { nowMs: 1_000 * DAY_MS, olderThanMs: 400 * DAY_MS, followMs: 30 * DAY_MS };

const settled = (facts: Partial<PruneFacts> = {}): PruneFacts => ({
  batchId: 'june',
  reportedAtMs: 500 * DAY_MS,
  openChunks: 0,
  uncertain: 0,
  changeableChunks: 0,
  unreportedChanges: 0,
  disputedChunks: 0,
  ...facts,
});

const daysAgo = (days: number) => ({ reportedAtMs: TIMES.nowMs - days * DAY_MS });

describe('the rows of an ended batch', () => {
  it.each<[string, Partial<PruneFacts>, string | null]>([
    ['whose money is settled may be removed', {}, null],
    ['of exactly the age may be removed', daysAgo(400), null],
    ['that is a day too young stay', daysAgo(399), 'TOO_YOUNG'],
    ['that has not ended stay', { reportedAtMs: null }, 'OPEN'],
    ['with a create in doubt stay', { openChunks: 1 }, 'IN_DOUBT'],
    ['with an unknown row stay', { uncertain: 1 }, 'UNKNOWN_ROWS'],
    ['with ends that are read no more may be removed', { changeableChunks: 1 }, null],
    ['with a change that no report holds stay', { unreportedChanges: 1 }, 'UNREPORTED'],
    ['with two mass payouts for a chunk stay', { disputedChunks: 1 }, 'DISPUTED'],
  ])('%s', (_, facts, obstacle) => {
    expect(keptOf([settled(facts)], TIMES)?.obstacle ?? null).toBe(obstacle);
  });

  it('stay while ends that people can change are read', () => {
    const times = { ...TIMES, olderThanMs: 40 * DAY_MS, followMs: 365 * DAY_MS };
    const facts = settled({ ...daysAgo(364), changeableChunks: 1 });
    expect(keptOf([facts], times)?.obstacle).toBe('CHANGEABLE');
    expect(keptOf([{ ...facts, ...daysAgo(365) }], times)).toBeNull();
  });

  it('stay for 30 days, whatever age is given', () => {
    const times = { ...TIMES, olderThanMs: 0, followMs: 0 };
    expect(keptOf([settled(daysAgo(29))], times)?.obstacle).toBe('TOO_YOUNG');
    expect(keptOf([settled(daysAgo(30))], times)).toBeNull();
  });

  it('stay with those of the whole lineage', () => {
    const line = [settled(), settled({ batchId: 'june-r1', reportedAtMs: null })];
    const kept = keptOf(line, TIMES);
    expect(kept).toEqual({ obstacle: 'OPEN', batchId: 'june-r1' });
    expect(keptText(kept!, 'june-r1')).toBe('it has not ended');
    expect(keptText(kept!, 'june')).toBe('june-r1 belongs to it, and it has not ended');
  });
});

it.each<[string, string[], number, boolean]>([
  ['without a problem may be pruned', [], 0, true],
  ['with files that are gone may be pruned', ['REPORT_GONE', 'FILE_COPY_GONE'], 2, true],
  ['with a changed record may not be pruned', ['REPORT_GONE', 'RECORD_CHANGED'], 2, false],
  ['with more problems than are listed may not be pruned', ['REPORT_FILE_GONE'], 2, false],
])('a batch %s', (_, codes, count, expected) => {
  const problems = codes.map((code) => ({ code }));
  expect(mayLoseRows(problems, count)).toBe(expected);
});

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1023, '1,023 bytes'],
  [1536, '1.5 KiB'],
  [3 * 1024 ** 2, '3 MiB'],
  [20 * 1024 ** 3, '20 GiB'],
])('%d bytes are %s for people', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});
