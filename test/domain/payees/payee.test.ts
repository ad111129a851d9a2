import { describe, expect, it } from '@jest/globals';
import {
  decidedOver,
  type ImportedPayee,
  importedOver,
  payeeMatches,
} from '../../../src/domain/payees/payee.ts';
import {
  payeeLabelsFault,
  payeeNameFault,
  readPayeeLabels,
} from '../../../src/domain/payees/payee-texts.ts';

const KEY = { network: 'tron', address: 'Tann', written: 'Tann' };
const ZOE = { by: 'zoe', atMs: 7 };
const row = (more: Partial<ImportedPayee> = {}): ImportedPayee => ({
  ...{
    ...KEY,
    row: 2,
    name: 'Ann',
    email: 'ann@x.example',
    labels: ['staff'],
    decision: null,
    reason: '',
  },
  ...more,
});

describe('an import', () => {
  const ann = importedOver(undefined, row(), ZOE);

  it('adds a payee, about whom nobody has decided', () => {
    expect(ann).toEqual({
      ...{
        ...KEY,
        name: 'Ann',
        email: 'ann@x.example',
        labels: ['staff'],
        addedAtMs: 7,
        addedBy: 'zoe',
        decision: null,
      },
    });
  });

  it('keeps a name and labels that the file does not have', () => {
    expect(
      importedOver(ann, row({ name: '', email: '', labels: [] }), { by: 'bob', atMs: 9 }),
    ).toEqual(ann);
  });

  it('can deny a payee', () => {
    const denied = importedOver(ann, row({ decision: 'DENIED', reason: 'fraud' }), ZOE);
    expect(denied.decision).toEqual({ kind: 'DENIED', ...ZOE, reason: 'fraud' });
  });

  it.each([null, 'ALLOWED' as const])('never lifts a denial, with the status %s', (decision) => {
    const denied = decidedOver(ann, { ...KEY, kind: 'DENIED', reason: 'fraud' }, ZOE);
    expect(importedOver(denied, row({ decision }), ZOE).decision?.kind).toBe('DENIED');
  });
});

it('a person lifts a denial, and keeps the name', () => {
  const denied = decidedOver(undefined, { ...KEY, kind: 'DENIED', reason: 'fraud' }, ZOE);
  const named = { ...denied, name: 'Ann' };
  const again = decidedOver(named, { ...KEY, kind: 'ALLOWED', reason: 'called' }, ZOE);
  expect(again).toMatchObject({ name: 'Ann', decision: { kind: 'ALLOWED', reason: 'called' } });
});

it('a search finds a part of name, label or address, in either case', () => {
  const ann = importedOver(undefined, row(), ZOE);
  const found = ['ANN', 'staff', 'tAnN', 'bob'].map((word) => payeeMatches(ann, word));
  expect(found).toEqual([true, true, true, false]);
});

describe('the name of a payee', () => {
  it.each([
    ['Ann Müller', null],
    ['安', null],
    ['Ann\u001b[2J', 'has a character that cannot be seen'],
    ['Ann\u202e', 'has a character that cannot be seen'],
    ['=HYPERLINK("x")', 'starts as a formula of a spreadsheet does'],
    ['-1', 'starts as a formula of a spreadsheet does'],
    ['x'.repeat(201), 'has more than 200 characters'],
  ])('%j: %s', (name, fault) => {
    expect(payeeNameFault(name)).toBe(fault);
  });
});

it('labels are plain words, each once', () => {
  expect(readPayeeLabels(' staff,berlin; staff ')).toEqual(['berlin', 'staff']);
  expect(payeeLabelsFault(['berlin'])).toBeNull();
  expect(payeeLabelsFault(['=x'])).toContain('letters');
  expect(payeeLabelsFault(Array.from({ length: 21 }, (_, i) => `l${i}`))).toContain('more than 20');
});
