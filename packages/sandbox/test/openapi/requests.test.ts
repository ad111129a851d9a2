import { describe, expect, it } from '@jest/globals';
import { OPERATIONS, type Operation } from '@bursar/merchant-api/spec';
import { START_MS } from '../support/manual-clock.ts';
import { mutationsOf } from '../support/mutations.ts';
import { samplesOf } from '../support/samples.ts';
import { checkOpen } from './support/check.ts';
import { operationOf } from './support/document.ts';

const ID = '11111111-1111-4111-8111-111111111111';

const SAMPLES = samplesOf({
  timestamp: START_MS,
  massPayoutId: ID,
  walletAddress: 'TWTNicjwdA9qaSNzUUiX2BtFH1xcjTeqd5',
  requestId: ID,
});

/**
 * Refusals that JSON Schema cannot express: halves of surrogate pairs, more than 40 digits after
 * the point, and integers beyond the precision of JSON Schema's readers.
 */
const INEXPRESSIBLE = /\\ud800|x\\udfff|baseAmount as .*1E-60|duration\.seconds as .*9{60}/;

const isDocumented = (operation: Operation, text: string): boolean =>
  checkOpen(operationOf(operation).requestBody.content['application/json'].schema, JSON.parse(text))
    .length === 0;

describe.each(OPERATIONS)('%s', (operation) => {
  const sample = SAMPLES[operation];

  it('may be called as its sample does', () => {
    expect(isDocumented(operation, JSON.stringify(sample.body))).toBe(true);
  });

  it('must not be called with anything that the sandbox refuses for its form', () => {
    const mutations = mutationsOf(sample).filter(({ name }) => !INEXPRESSIBLE.test(name));
    const missed = mutations.filter(({ text }) => isDocumented(operation, text));
    expect(missed.map(({ name }) => name)).toEqual([]);
    expect(mutations.length).toBeGreaterThan(10);
  });
});
