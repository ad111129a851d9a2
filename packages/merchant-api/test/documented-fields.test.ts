import { describe, expect, it } from '@jest/globals';
import type { Answer, MerchantClient } from '@bursar/merchant-api';
import { OPERATIONS, type Operation } from '@bursar/merchant-api/spec';
import { documentedAnswers, documentedPayloads } from './support/documented.ts';
import { failureOf, IDEMPOTENCY_KEY, openClient, openServer } from './support/fixtures.ts';
import { INPUT_CASES } from './support/input-cases.ts';
import { leavesOf, type Path, withoutLeaf } from './support/leaves.ts';
import { OPERATION_CASES, writtenDown } from './support/operation-cases.ts';
import { answering } from './support/raw-server.ts';

type Call = (client: MerchantClient) => Promise<Answer<unknown>>;

const CALLS: ReadonlyMap<Operation, Call> = new Map<Operation, Call>([
  ['ACCOUNT', (client) => client.readBalance()],
  ...OPERATION_CASES.map(({ operation, call }): [Operation, Call] => [operation, call]),
  ...INPUT_CASES.map(({ operation, call, good }): [Operation, Call] => [
    operation,
    (client) => call(client, good as never) as Promise<Answer<unknown>>,
  ]),
]);

/** What comes of an answer: the value as it is written down, or the reason why there is none. */
async function outcomeOf(operation: Operation, answer: unknown): Promise<unknown> {
  const call = CALLS.get(operation);
  if (call === undefined) throw new Error(`no call of ${operation}`);
  const server = await openServer({ onRequest: answering({ body: JSON.stringify(answer) }) });
  const made = call(openClient(server.url));
  return made.then(
    ({ value }) => writtenDown(value),
    async () => (await failureOf(made)).reason,
  );
}

const isIndex = (name: string): boolean => /^\d+$/.test(name);
const shown = (path: Path): string => path.filter((name) => !isIndex(name)).join('.');

/** Where the fields of a value stand; places in lists are no fields. */
const fieldPaths = (value: unknown): Path[] =>
  leavesOf(value).filter((path) => !isIndex(path.at(-1) ?? '0'));

describe('the answer of an operation', () => {
  it.each(OPERATIONS)('is read with each of its fields: %s', async (operation) => {
    const unread: string[] = [];
    for (const answer of documentedAnswers(operation)) {
      const whole = await outcomeOf(operation, answer);
      expect(whole).toEqual(expect.any(Object));
      for (const path of fieldPaths(answer)) {
        const outcome = await outcomeOf(operation, withoutLeaf(answer, path));
        if (JSON.stringify(outcome) === JSON.stringify(whole)) unread.push(shown(path));
      }
    }
    expect(unread).toEqual([]);
  });
});

/** Beside the good inputs: what brings the fields that these leave out. */
const MORE: Readonly<Partial<Record<Operation, object>>> = {
  MASS_GET: { id: 'mp-1', idempotencyKey: undefined },
  LOOKUP: { id: undefined, idempotencyKey: IDEMPOTENCY_KEY },
  WEBHOOK_CREATE: { notificationEventTypes: ['INVOICE_PAID'] },
  WEBHOOK_CHANGE: { notificationServiceTypes: ['PAYOUT'] },
  WALLET_LIST: { currency: 'TRX', nameOrAddress: 'a' },
  TRANSACTION_LIST: { walletAddress: 'T1', addressTo: 'T2', currency: 'TRX' },
};

/**
 * Never sent: the fields of a transition rule, as rules speak of years that no report reaches; and
 * `enabled`, which only the sandbox assumes.
 */
const NEVER_SENT: Readonly<Partial<Record<Operation, RegExp>>> = {
  REPORT: /^zoneOffset\.rules\.transitionRules\./,
  WEBHOOK_CHANGE: /^enabled$/,
};

const fieldsIn = (values: readonly unknown[]): string[] =>
  [...new Set(values.flatMap(fieldPaths).map(shown))].toSorted();

const withoutAbsent = (input: object): object =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));

describe('the payload of an operation', () => {
  it('is looked at wherever there is one', () => {
    const documented = OPERATIONS.filter((operation) => documentedPayloads(operation).length > 0);
    expect(INPUT_CASES.map(({ operation }) => operation).toSorted()).toEqual(documented.toSorted());
  });

  it.each(INPUT_CASES.map((each) => [each.operation, each] as const))(
    'is sent with each of its fields: %s',
    async (operation, { good, call }) => {
      const server = await openServer({ onRequest: answering({ status: 400 }) });
      const client = openClient(server.url);
      for (const input of [good, { ...good, ...MORE[operation] }]) {
        await failureOf(call(client, withoutAbsent(input) as never));
      }
      const sent = fieldsIn(server.requests.map(({ body }) => JSON.parse(body).payload));
      const isSent = (field: string): boolean => !NEVER_SENT[operation]?.test(field);
      expect(sent).toEqual(fieldsIn(documentedPayloads(operation)).filter(isSent));
    },
  );
});
