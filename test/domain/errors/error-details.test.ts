import { expect, it } from '@jest/globals';
import { BursarError } from '../../../src/domain/errors/bursar-error.ts';
import {
  detailedNote,
  detailedNoteOf,
  detailsOf,
} from '../../../src/domain/errors/error-details.ts';

it('an error has the texts and numbers of its sentences beside them', () => {
  const facts = { text: '1.234', currency: 'USDT_TRC20', decimals: 2 };
  const note = detailedNoteOf('AMOUNT_TOO_PRECISE', facts);
  expect(note.facts).toEqual(facts);
  expect(note.what).toContain('more than the 2 decimals');
  expect(detailedNote(new BursarError('AMOUNT_TOO_PRECISE', facts))).toEqual(note);
});

it('facts have no objects, and no password of an address', () => {
  const url = 'postgres://bursar:secret@db.example/store';
  const { note } = new BursarError('STORE_FULL', { url });
  const details = detailsOf({ url, asks: { sheets: ['a'] }, isSent: true });
  expect(Object.keys(details)).toEqual(['url']);
  expect(details['url']).not.toContain('secret');
  expect(note.what).toContain(String(details['url']));
  expect(detailsOf(undefined)).toEqual({});
});
