import {
  DEFAULT_ENDPOINTS,
  DEFAULT_SHAPES,
  OPERATIONS,
  type Shapes,
} from '@bursar/merchant-api/spec';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type ProbeFindings, probe } from '../src/probes/probe.ts';
import { type OwnRuns, outcomeOf, startOwnRuns } from './support/own-runs.ts';

let own: OwnRuns;
beforeAll(async () => {
  own = await startOwnRuns(10_000);
});
afterAll(() => own.stop());
afterEach(() => own.admin('PUT', 'modes', {}));

const ELSEWHERE = { ...DEFAULT_ENDPOINTS, REPORT: '/api/v1/elsewhere', USER: '/api/v1/nowhere' };

const findings = (endpoints = DEFAULT_ENDPOINTS): Promise<ProbeFindings> =>
  probe({
    service: (shapes) => own.called({ shapes, endpoints }),
    account: own.account,
    endpoints,
    permissions: { mayMake: true, paymentsMax: 10 },
    stated: {},
    defaults: DEFAULT_SHAPES,
    wanted: OPERATIONS,
    paying: (shapes) => own.run({ shapes, service: own.called({ shapes, endpoints }) }),
  });

const READING = [
  'account',
  'auth',
  'envelope',
  'fee',
  'opcodes',
  'transactions',
  'user',
  'wallets',
];

describe('a service whose calls have another shape', () => {
  it.each<[keyof Shapes, string, readonly string[]]>([
    ['accountIn', 'most', []],
    ['accountIn', 'all', []],
    ['accountIn', 'shown', []],
    ['timestampUnit', 's', ['envelope.timestamp.milliseconds']],
    // The specification has 1 as the default page number.
    [
      'pageBase',
      'zero',
      ['transactions.list.pageNumber.default', 'wallets.list.pageNumber.default'],
    ],
    ['massGetAccepts', 'flat-key-only', []],
  ])(
    '%s %s is called so, and breaks only %j',
    async (mode, value, broken) => {
      await own.admin('PUT', 'modes', { [mode]: value });
      const { shapes, found, missing } = await findings();
      expect(found).toMatchObject({ [mode]: value });
      expect([...missing.keys()]).toEqual([]);
      const run = own.run({ shapes, service: own.called({ shapes }) });
      expect((await outcomeOf(run, READING)).broken).toEqual(broken);
    },
    60_000,
  );
});

describe('an operation that is not served at its path', () => {
  it.each([
    [{}],
    [{ unknownPath: 'text' }],
    [{ unknownPath: 'html' }],
    [{ errorStatus: 'all-200' }],
    [{ errorStatus: 'all-400', errorCode: 'one-for-all' }],
  ])('is found out, and no other operation is, in the modes %j', async (modes) => {
    await own.admin('PUT', 'modes', modes);
    expect([...(await findings(ELSEWHERE)).missing.keys()].toSorted()).toEqual(['REPORT', 'USER']);
  });
});
