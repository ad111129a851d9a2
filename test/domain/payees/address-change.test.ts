import { describe, expect, it } from '@jest/globals';
import { addressChange, type PaidBefore } from '../../../src/domain/payees/address-change.ts';

const known = (paid: PaidBefore, listedElsewhere: boolean) => ({ paid, listedElsewhere });

describe('a row pays a payee who is known under other addresses alone', () => {
  it.each<{
    reference: PaidBefore;
    name: PaidBefore;
    listed: 'reference' | 'name' | 'both' | 'none';
    change: string;
  }>`
    reference      | name           | listed         | change
    ${'never'}     | ${'never'}     | ${'none'}      | ${'none'}
    ${'elsewhere'} | ${'never'}     | ${'none'}      | ${'reference payments'}
    ${'elsewhere'} | ${'here'}      | ${'none'}      | ${'reference payments'}
    ${'here'}      | ${'elsewhere'} | ${'none'}      | ${'none'}
    ${'here'}      | ${'never'}     | ${'both'}      | ${'none'}
    ${'never'}     | ${'elsewhere'} | ${'none'}      | ${'name payments'}
    ${'never'}     | ${'elsewhere'} | ${'reference'} | ${'name payments'}
    ${'never'}     | ${'here'}      | ${'name'}      | ${'none'}
    ${'never'}     | ${'never'}     | ${'name'}      | ${'name register'}
    ${'never'}     | ${'never'}     | ${'both'}      | ${'reference register'}
  `(
    'reference paid $reference, name paid $name, listed elsewhere by $listed: $change',
    ({ reference, name, listed, change }) => {
      const found = addressChange({
        reference: known(reference, listed === 'reference' || listed === 'both'),
        name: known(name, listed === 'name' || listed === 'both'),
      });
      expect(found === undefined ? 'none' : `${found.kind} ${found.by}`).toBe(change);
    },
  );
});
