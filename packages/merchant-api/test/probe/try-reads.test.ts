import { describe, expect, it } from '@jest/globals';
import { tryReads } from '@bursar/merchant-api';
import type { Endpoints, ShapeChoices } from '@bursar/merchant-api/spec';
import { clientOf, makeObjects, probeOptionsFor, startPlayed } from '../support/shape-cases.ts';

type Client = Readonly<{ shapes?: ShapeChoices; endpoints?: Partial<Endpoints> }>;

/** The ways that are understood, such as `MASS_GET id`, by a client of a sandbox in these modes. */
async function understoodBy(modes: Record<string, string>, client: Client = {}): Promise<string[]> {
  const sandbox = await startPlayed(modes);
  const trials = await tryReads({ ...probeOptionsFor(sandbox), ...client });
  return trials
    .filter(({ verdict }) => verdict === 'understood')
    .map(({ operation, name }) => `${operation} ${name}`);
}

const LOOKUP = ['LOOKUP id', 'LOOKUP idempotencyKey'];
const KEYS_ALONE = { MASS_GET_ACCEPTS: 'key-only', ENDPOINT_LOOKUP: '' };
const EVERY = ['MASS_GET id', 'MASS_GET idempotencyKey', ...LOOKUP];

describe('tryReads', () => {
  it.each([
    [{}, EVERY],
    [{ MASS_GET_ACCEPTS: 'id-only' }, ['MASS_GET id', ...LOOKUP]],
    [{ MASS_GET_ACCEPTS: 'key-only' }, ['MASS_GET idempotencyKey', ...LOOKUP]],
    [{ MASS_GET_ACCEPTS: 'flat' }, LOOKUP],
    [{ LOOKUP_BY_KEY: 'absent' }, EVERY],
    [{ LOOKUP_BY_KEY: 'refused' }, ['MASS_GET id', 'LOOKUP id']],
    [{ ERROR_STATUS: 'all-400' }, EVERY],
    [{ ERROR_STATUS: 'all-200' }, EVERY],
    [{ ERROR_CODE: 'one-for-all' }, EVERY],
    [{ ERROR_STATUS: 'all-400', ERROR_CODE: 'one-for-all' }, EVERY],
    [{ ERROR_STATUS: 'all-400', ERROR_CODE: 'one-for-all', MASS_GET_ACCEPTS: 'flat' }, LOOKUP],
    [
      { ERROR_STATUS: 'all-400', ERROR_CODE: 'one-for-all', LOOKUP_BY_KEY: 'refused' },
      ['MASS_GET id', 'LOOKUP id'],
    ],
    [{ ACCOUNT_IN: 'shown' }, []],
    [{ UNKNOWN_PATH: 'text' }, EVERY],
    [{ UNKNOWN_PATH: 'html' }, EVERY],
    [{ ENDPOINT_LOOKUP: '' }, EVERY.slice(0, 2)],
    [{ ENDPOINT_LOOKUP: '', UNKNOWN_PATH: 'html' }, EVERY.slice(0, 2)],
  ] as [Record<string, string>, string[]][])(
    'a sandbox of %j understands %j',
    async (modes, understood) => {
      expect(await understoodBy(modes)).toEqual(understood);
    },
  );

  it('reads in the shapes of the client alone', async () => {
    const shapes = { massGetAccepts: 'flat-key-only' } as const;
    expect(await understoodBy({ MASS_GET_ACCEPTS: 'flat-key-only' }, { shapes })).toEqual([
      'MASS_GET idempotencyKey',
      ...LOOKUP,
    ]);
  });

  it.each([
    [{}, EVERY],
    [{ LOOKUP_BY_KEY: 'absent' }, ['MASS_GET id', 'LOOKUP id']],
    [{ ...KEYS_ALONE, LOOKUP_BY_KEY: 'absent' }, []],
    [KEYS_ALONE, ['MASS_GET idempotencyKey']],
  ] as [Record<string, string>, string[]][])(
    'a sandbox of %j shows a mass payout that exists by %j',
    async (modes, ways) => {
      const sandbox = await startPlayed(modes);
      const known = await makeObjects(clientOf(sandbox));
      const trials = await tryReads(probeOptionsFor(sandbox), { known });
      const finding = trials.filter(({ hasFound }) => hasFound);
      expect(finding.map(({ operation, name }) => `${operation} ${name}`)).toEqual(ways);
    },
  );

  it('waits for the turn of each request', async () => {
    const sandbox = await startPlayed();
    let turns = 0;
    const turn = async (): Promise<void> => {
      turns += 1;
    };
    await tryReads(probeOptionsFor(sandbox), { turn });
    expect(turns).toBe(9);
    const refused = tryReads(probeOptionsFor(sandbox), {
      turn: () => Promise.reject(new Error('no turn')),
    });
    await expect(refused).rejects.toThrow('no turn');
  });

  it('does not try an operation that the client has switched off', async () => {
    expect(await understoodBy({}, { endpoints: { LOOKUP: '' } })).toEqual(EVERY.slice(0, 2));
  });
});
