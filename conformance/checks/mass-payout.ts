import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { PAYOUT_STATES } from '../../src/spec/states.ts';
import { all, broken, type Check, met, open, type Verdict } from '../check.ts';
import type { Given, Payment } from '../given.ts';
import type { Answer, Service } from '../service.ts';
import { eachHasFields, fieldOf, hasFields, is, isError, recordOf, succeeded } from '../shape.ts';

/** States in which nothing more happens by itself. */
const ENDS: readonly string[] = ['COMPLETED', 'PARTIAL', 'FAILED', 'CANCELED'];
const POLL_MS = 250;

const RECORD = {
  id: is.text,
  idempotencyKey: is.optional(is.uuid),
  companyId: is.optional(is.uuid),
  account: is.optional(is.text),
  state: is.oneOf(PAYOUT_STATES),
  comment: is.optional(is.text),
  name: is.optional(is.text),
  currency: is.optional(is.text),
  totalWithdrawalAmount: is.optional(is.number),
  totalFee: is.optional(is.number),
  totalFeePercentage: is.optional(is.number),
  executionDate: is.optional(is.dateTime),
  errors: is.optional(is.object),
  externalId: is.optional(is.text),
};

const about = (more: Pick<Check, 'id' | 'section' | 'sentence'>) => ({
  ...more,
  needs: ['MASS_CREATE', 'MASS_GET'] as const,
  leaves: 'payments' as const,
});

type Sending = Readonly<{
  account: string;
  key: string;
  payment: Payment;
  addresses: readonly string[];
}>;

/** The body is written by hand: amounts are numbers of any length in JSON, and text in this program. */
function createBody({ account, key, payment, addresses }: Sending): string {
  const rows = addresses.map(
    (address) =>
      `{"depositAddress":${JSON.stringify(address)},"amount":${payment.amount},"comment":"conformance"}`,
  );
  const currency = JSON.stringify(payment.currency);
  const names = `"name":"conformance","externalId":"conformance/${key}","idempotencyKey":"${key}"`;
  const payload = `{"currency":${currency},${names},"massAddresses":[${rows.join(',')}]}`;
  return `{"timestamp":${Date.now()},"account":"${account}","payload":${payload}}`;
}

type Created = Readonly<{ key: string; answer: Answer; record: unknown }>;

async function create(
  service: Service,
  given: Given,
  pick: (payment: Payment) => readonly string[],
): Promise<Created> {
  const { payment } = given;
  if (payment === null) throw new Error('a check that pays was run without a payment');
  const key = randomUUID();
  const body = createBody({ account: given.account, key, payment, addresses: pick(payment) });
  const answer = await service.send('MASS_CREATE', { body });
  return { key, answer, record: recordOf(answer, 'id') };
}

const createOne = (service: Service, given: Given): Promise<Created> =>
  create(service, given, ({ address }) => [address]);

const read = (service: Service, payload: unknown): Promise<Answer> =>
  service.send('MASS_GET', { payload });

/** Reads a mass payout until it has ended; answers with every record that was seen. */
async function follow(service: Service, given: Given, id: unknown): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (const untilMs = Date.now() + given.patienceMs; Date.now() < untilMs; await pause(POLL_MS)) {
    const record = recordOf(await read(service, { id }), 'id');
    seen.push(record);
    if (ENDS.includes(String(fieldOf(record, 'state')))) break;
  }
  return seen;
}

const statesOf = (records: readonly unknown[]): string =>
  [...new Set(records.map((record) => String(fieldOf(record, 'state'))))].join(' -> ');

export const massPayoutChecks: readonly Check[] = [
  {
    ...about({
      id: 'mass-create-record',
      section: 'Endpoints',
      sentence: 'A create is answered with the mass payout record, in state CREATION_IN_PROGRESS.',
    }),
    try: async (service, given) => {
      const { key, answer, record } = await createOne(service, given);
      return all(
        () => succeeded(answer),
        () => hasFields(record, { ...RECORD, state: is.oneOf(['CREATION_IN_PROGRESS']) }),
        () => same(fieldOf(record, 'idempotencyKey'), key, 'idempotencyKey'),
      );
    },
  },
  {
    ...about({
      id: 'mass-get-record',
      section: 'Endpoints',
      sentence: 'A mass payout can be read by its id: its data and status.',
    }),
    try: async (service, given) => {
      const { record } = await createOne(service, given);
      const answer = await read(service, { id: fieldOf(record, 'id') });
      return all(
        () => succeeded(answer),
        () => hasFields(recordOf(answer, 'id'), RECORD),
        () => same(fieldOf(recordOf(answer, 'id'), 'id'), fieldOf(record, 'id'), 'id'),
      );
    },
  },
  {
    ...about({
      id: 'mass-get-by-key',
      section: 'Generic lookup and wrapper objects',
      sentence: 'A mass payout can be found by its idempotencyKey.',
    }),
    try: async (service, given) => {
      const { key, record } = await createOne(service, given);
      const answer = await read(service, { idempotencyKey: key });
      if (answer.status >= 300) return open(`not by this operation: status ${answer.status}`);
      return same(fieldOf(recordOf(answer, 'id'), 'id'), fieldOf(record, 'id'), 'id');
    },
  },
  {
    ...about({
      id: 'mass-walk',
      section: 'States and transitions',
      sentence:
        'A mass payout goes through documented states; COMPLETED follows a successful payment.',
    }),
    try: async (service, given) => {
      const { record } = await createOne(service, given);
      const seen = await follow(service, given, fieldOf(record, 'id'));
      const last = String(fieldOf(seen.at(-1), 'state'));
      return all(
        () => eachHasFields(seen, RECORD),
        () => (last === 'COMPLETED' ? met(statesOf(seen)) : broken(statesOf(seen))),
      );
    },
  },
  {
    ...about({
      id: 'mass-partial',
      section: 'States and transitions',
      sentence:
        'When one of the payouts fails the state is PARTIAL, and errors.withdrawalErrors names it.',
    }),
    try: async (service, given) => {
      const failing = given.payment?.failingAddress ?? null;
      if (failing === null) return open('no address was given to which a withdrawal fails');
      const { record } = await create(service, given, ({ address }) => [address, failing]);
      const seen = await follow(service, given, fieldOf(record, 'id'));
      const entries = fieldOf(fieldOf(seen.at(-1), 'errors'), 'withdrawalErrors');
      const [entry] = Array.isArray(entries) ? entries : [];
      return all(
        () => same(fieldOf(seen.at(-1), 'state'), 'PARTIAL', 'state'),
        () => eachHasFields(entries, { withdrawalId: is.text, errors: is.list }),
        () =>
          eachHasFields(fieldOf(entry, 'errors'), {
            id: is.integer,
            status: is.text,
            errorResolved: is.boolean,
            errorMessage: is.text,
          }),
      );
    },
  },
  {
    ...about({
      id: 'mass-create-repeated',
      section: 'Payout',
      sentence: 'idempotencyKey is an external id. (What a repeated one does: not shown.)',
    }),
    try: async (service, given) => {
      const { payment } = given;
      const { key, record } = await createOne(service, given);
      if (payment === null) return open('nothing was paid');
      const { account } = given;
      const body = createBody({ account, key, payment, addresses: [payment.address] });
      const again = await service.send('MASS_CREATE', { body });
      const id = fieldOf(recordOf(again, 'id'), 'id');
      if (again.status >= 300) return open(`refused with status ${again.status}`);
      return open(id === fieldOf(record, 'id') ? 'the same payout' : 'a SECOND payout');
    },
  },
  {
    id: 'mass-get-nothing',
    section: 'Errors',
    sentence: 'An object that does not exist is answered by the error body.',
    needs: ['MASS_GET'],
    leaves: 'nothing',
    try: async (service) => isError(await read(service, { id: randomUUID() })),
  },
  {
    id: 'mass-create-undocumented',
    section: 'Errors',
    sentence: 'A create with a field of the wrong type is answered by the error body.',
    needs: ['MASS_CREATE'],
    leaves: 'nothing',
    try: async (service) =>
      isError(
        await service.send('MASS_CREATE', {
          payload: { currency: 'USDT_TRC20', massAddresses: 'none', idempotencyKey: randomUUID() },
        }),
      ),
  },
];

export const lookupChecks: readonly Check[] = [
  {
    id: 'lookup-one-of-two',
    section: 'Generic lookup and wrapper objects',
    sentence: 'id or idempotencyKey must be given.',
    needs: ['LOOKUP'],
    leaves: 'nothing',
    try: async (service) => isError(await service.send('LOOKUP', { payload: {} })),
  },
  {
    id: 'lookup-by-both',
    section: 'Generic lookup and wrapper objects',
    sentence: 'An object can be fetched by its id, and by its idempotencyKey.',
    needs: ['LOOKUP', 'MASS_CREATE'],
    leaves: 'payments',
    try: async (service, given) => {
      const { key, record } = await createOne(service, given);
      const id = fieldOf(record, 'id');
      const found = async (payload: unknown): Promise<Verdict> => {
        const answer = await service.send('LOOKUP', { payload });
        return same(fieldOf(recordOf(answer, 'id'), 'id'), id, 'id');
      };
      return all(
        () => found({ id }),
        () => found({ idempotencyKey: key }),
      );
    },
  },
];

const same = (found: unknown, expected: unknown, name: string): Verdict =>
  found === expected ? met() : broken(`${name} is ${String(found)} and not ${String(expected)}`);
