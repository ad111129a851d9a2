import { USER_ROLES } from '@bursar/merchant-api/spec';
import { answerFields } from '../answer-fields.ts';
import { type ConformanceCheck, met } from '../check.ts';
import {
  demand,
  demandAccepted,
  demandEqual,
  demandFor,
  fieldOf,
  listOf,
  recordOf,
} from '../expect.ts';
import * as kinds from '../kinds.ts';
import type { CheckRun } from '../run.ts';
import { BALANCE } from '../scenarios/account.ts';

const USER_RECORD = { words: 'the record of the user', checkedBy: 'user.record.userFullInfo' };

const balances = (run: CheckRun): Promise<unknown> =>
  run.once('balances', async () =>
    recordOf(demandFor(await run.service.send('ACCOUNT'), BALANCE), 'account'),
  );

const user = (run: CheckRun): Promise<unknown> =>
  run.once('user', async () =>
    recordOf(demandFor(await run.service.send('USER'), USER_RECORD), 'userFullInfo'),
  );

/** Returns the entries of a list in the user's record. */
const entriesOf =
  (name: string) =>
  async (run: CheckRun): Promise<readonly unknown[]> =>
    listOf(fieldOf(await user(run), name));

const ACCOUNT = {
  section: 'Account and balances',
  needs: ['ACCOUNT'],
} as const;
const USER = {
  section: 'User, company and permissions',
  needs: ['USER'],
} as const;

const accountChecks: readonly ConformanceCheck[] = [
  {
    ...ACCOUNT,
    id: 'account.status',
    section: 'Endpoints',
    sentence: 'When the balance operation, POST /api/v1/account, succeeds the status is 200.',
    try: async ({ service }) => {
      demandEqual('status', demandAccepted(await service.send('ACCOUNT')).status, 200);
      return met();
    },
  },
  ...answerFields({
    ...ACCOUNT,
    id: 'account.record',
    record: 'Balance response',
    read: async (run) => [await balances(run)],
    fields: {
      account: kinds.text,
      name: kinds.text,
      ownerId: kinds.uuid,
      balances: kinds.list,
    },
  }),
  ...answerFields({
    ...ACCOUNT,
    id: 'account.record.balances',
    record: 'Balance response, `balances[]`',
    read: async (run) => listOf(fieldOf(await balances(run), 'balances')),
    fields: { currency: kinds.text, amount: kinds.number },
  }),
  {
    ...ACCOUNT,
    id: 'account.this-one',
    sentence: 'The balance response is of the account that the request names.',
    try: async (run) => {
      const account = String(fieldOf(await balances(run), 'account'));
      demandEqual('account', account.toLowerCase(), run.account.toLowerCase());
      return met();
    },
  },
  {
    ...ACCOUNT,
    id: 'account.one-per-currency',
    sentence: 'balances has one entry per currency held.',
    try: async (run) => {
      const entries = listOf(fieldOf(await balances(run), 'balances'));
      const currencies = entries.map((entry) => fieldOf(entry, 'currency'));
      demand(new Set(currencies).size === currencies.length, 'each currency once', currencies);
      return met(`${currencies.length} currencies`);
    },
  },
];

const userChecks: readonly ConformanceCheck[] = [
  ...answerFields({
    ...USER,
    id: 'user.record',
    record: 'User and company information',
    read: async (run) => [await user(run)],
    fields: {
      userFullInfo: kinds.object,
      permissions: kinds.list,
      availableAccounts: kinds.list,
    },
  }),
  ...answerFields({
    ...USER,
    id: 'user.record.userFullInfo',
    record: '`userFullInfo`',
    read: async (run) => [fieldOf(await user(run), 'userFullInfo')],
    fields: {
      id: kinds.uuid,
      username: kinds.uuid,
      companyId: kinds.optional(kinds.uuid),
      companyName: kinds.optional(kinds.text),
      active: kinds.boolean,
      blocked: kinds.boolean,
      roles: kinds.listOfEach(
        `array of unique strings, of ${USER_ROLES.join(', ')}`,
        kinds.oneOf('role', USER_ROLES),
        true,
      ),
    },
  }),
  ...answerFields({
    ...USER,
    id: 'user.record.permissions',
    record: '`permissions[]`',
    read: entriesOf('permissions'),
    fields: {
      accountId: kinds.text,
      accountName: kinds.text,
      permissionGroups: kinds.listOfEach('array of permission groups', kinds.object),
    },
  }),
  ...answerFields({
    ...USER,
    id: 'user.record.permissions.permissionGroups',
    record: '`permissions[].permissionGroups[]`',
    read: async (run) =>
      (await entriesOf('permissions')(run)).flatMap((each) =>
        listOf(fieldOf(each, 'permissionGroups')),
      ),
    fields: {
      groupId: kinds.integer,
      name: kinds.text,
      permissionData: {
        ...kinds.object,
        words: 'object whose values are strings',
        fits: (value) =>
          kinds.object.fits(value) && Object.values(value as object).every(kinds.text.fits),
      },
    },
  }),
  {
    ...USER,
    id: 'user.record.permissions.permissionGroups.unique',
    sentence: '`permissions[].permissionGroups` has each group once.',
    try: async (run) => {
      for (const each of await entriesOf('permissions')(run)) {
        const ids = listOf(fieldOf(each, 'permissionGroups')).map((one) => fieldOf(one, 'groupId'));
        demand(new Set(ids).size === ids.length, 'each group once', ids);
      }
      return met();
    },
  },
  ...answerFields({
    ...USER,
    id: 'user.record.availableAccounts',
    section: ACCOUNT.section,
    record: '`availableAccounts[]`',
    read: entriesOf('availableAccounts'),
    fields: { account: kinds.text, name: kinds.text },
  }),
];

export const accountAndUserChecks: readonly ConformanceCheck[] = [...accountChecks, ...userChecks];
