import { expect, it } from '@jest/globals';
import { noteOf } from '../../../src/domain/errors/bursar-error.ts';
import { LANGUAGES } from '../../../src/web/texts/languages.ts';
import { pageNote } from '../../../src/web/words/page-note.ts';

it.each(['Fees are 12 USDT_TRC20; the cap is 10.', 'the first rows of BTC were not all paid'])(
  'the sentence of a hold for "%s" ends with one full stop',
  (hold) => {
    const { what } = noteOf('HOLD_NEEDS_APPROVAL', { batchId: 'b', hold });
    const told = hold.replace(/\.$/, '');
    expect(what).toBe(`Batch b is on hold: ${told}. Only an approval lifts this hold.`);
  },
);

it.each(['canceled by ann: a typo.', 'canceled by ann: a typo'])(
  'the sentence of a batch that was stopped as "%s" ends with one full stop',
  (stopped) => {
    const { what } = noteOf('BATCH_STOPPED', { batchId: 'b', stopped });
    expect(what).toBe('Nothing more of batch b is sent: canceled by ann: a typo.');
  },
);

it('a submit without a signature, and one with open warnings, name the remedy of each way to submit', () => {
  const unsigned = noteOf('SUBMIT_UNSIGNED', { batchId: 'b', submittedBy: 'ann' });
  const open = noteOf('FINDINGS_NOT_ACCEPTED', { codes: 'DUPLICATE_ROW, OVERLAP' });
  expect(unsigned.fix).toMatch(/--key FILE.*HTTP.*"submission"/);
  expect(open.fix).toMatch(/--accept DUPLICATE_ROW --accept OVERLAP.*HTTP.*"choices\.accept"/);
});

it.each(['The total differs from our records.', 'the total differs', 'is this right?'])(
  'a refusal and a cancel for "%s" end with one full stop, in English and German',
  (reason) => {
    const told = reason.endsWith('?') ? reason : `${reason.replace(/\.$/, '')}.`;
    const facts = { by: 'bob', reason };
    const said = (['REFUSED_BY_APPROVER', 'CANCELED_BY_PERSON'] as const).flatMap((code) => {
      const note = noteOf(code, facts);
      return [note.what, pageNote({ ...note, facts }, LANGUAGES.de).what.text];
    });
    expect(said).toEqual([
      `The batch was refused by bob: ${told}`,
      `bob hat die Freigabe verweigert: ${told}`,
      `The batch was canceled by bob: ${told}`,
      `Der Stapel wurde von bob abgebrochen: ${told}`,
    ]);
  },
);
