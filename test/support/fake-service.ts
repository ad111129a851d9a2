import type { Service } from '../../src/activities/service/service.ts';
import { type MerchantClient, MerchantApiError } from '@bursar/merchant-api';
import { bindOperations } from '../../packages/merchant-api/src/operations.ts';
import { buildBody } from '../../packages/merchant-api/src/request/envelope.ts';
import { DEFAULT_SHAPES, type Operation } from '@bursar/merchant-api/spec';

const unexpected = () => Promise.reject(new Error('not expected in this test'));

/** Every operation of a client, each of which fails the test. */
export const unexpectedCalls = { ...bindOperations(unexpected), waitForMassPayout: unexpected };

/** A body as a client of default options prepares it. */
export const preparedBody: MerchantClient['prepareBody'] = (parts) =>
  buildBody({ account: undefined, shapes: DEFAULT_SHAPES }, 'MASS_CREATE', parts);

/** A client whose every call fails the test, but for those that are given. */
export const fakeService = (
  calls: Partial<MerchantClient>,
  lacks: readonly Operation[] = [],
): Service => ({
  api: {
    ...unexpectedCalls,
    prepareBody: preparedBody,
    hasOperation: (operation) => !lacks.includes(operation),
    takesReference: (operation) => !lacks.includes(operation),
    clockSkewMs: () => undefined,
    serverMsAtLeast: () => undefined,
    close: () => Promise.resolve(),
    ...calls,
    createMassPayout(input, call) {
      call?.onLeave?.();
      return (calls.createMassPayout ?? unexpectedCalls.createMassPayout)(input, call);
    },
  },
  baseUrl: 'http://service',
  lookupName: 'http://service',
  account: '0x00000000000000000000000000000000000000a1',
  pace: () => Promise.resolve(),
});

/** How a service lists the settlement wallets at these addresses; `lost` ends the list with a lost connection. */
export const walletsAt = (...addresses: readonly string[]): MerchantClient['eachWallet'] =>
  async function* () {
    for (const address of addresses) {
      if (address === 'lost') throw failed('no-answer');
      yield { name: 'w', address, blockchain: 'TRON', balances: [] };
    }
  };

export const answer = <Value>(value: Value, serverDateMs?: number) => ({
  value,
  httpStatus: 200,
  timestampMs: 1,
  bodySha256: 'b',
  ...(serverDateMs === undefined ? {} : { serverDateMs }),
});

export const refused = (httpStatus: number, documented = true): MerchantApiError =>
  new MerchantApiError('refused', { operation: 'LOOKUP', httpStatus, documented });

/** A refusal that may be about the age of the timestamp alone. */
export const refusedForAge = (): MerchantApiError => {
  const facts = { operation: 'LOOKUP', httpStatus: 400, documented: true } as const;
  return new MerchantApiError('refused', { ...facts, mayBeTooOld: true });
};

export const failed = (kind: 'not-sent' | 'no-answer' | 'unreadable'): MerchantApiError =>
  new MerchantApiError(kind, { operation: 'LOOKUP', reason: 'ECONNRESET', httpStatus: 200 });

/** The payload of a create that a fake service was called with. */
export function payloadOf(input: Parameters<MerchantClient['createMassPayout']>[0]): string {
  if (!('body' in input)) throw new Error('the engine sends bodies that it has prepared');
  const text = input.body.bytes.toString('utf8');
  return text.slice(text.indexOf('"payload":') + '"payload":'.length, -1);
}
