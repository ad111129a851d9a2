import { USER_ROLES } from '../../src/spec/users.ts';
import { all, broken, type Check, met } from '../check.ts';
import { eachHasFields, fieldOf, hasFields, is, recordOf, succeeded } from '../shape.ts';

export const accountChecks: readonly Check[] = [
  {
    id: 'balance-status',
    section: 'Endpoints',
    sentence: 'When the balance operation succeeds the status is 200.',
    needs: ['ACCOUNT'],
    leaves: 'nothing',
    try: async (service) => {
      const { status } = await service.send('ACCOUNT');
      return status === 200 ? met() : broken(`status ${status}`);
    },
  },
  {
    id: 'balance-record',
    section: 'Account and balances',
    sentence:
      'The balance response has account, name, ownerId and one balance for each currency held.',
    needs: ['ACCOUNT'],
    leaves: 'nothing',
    try: async (service) => {
      const record = recordOf(await service.send('ACCOUNT'), 'account');
      return all(
        () => hasFields(record, { account: is.text, name: is.text, ownerId: is.uuid }),
        () => eachHasFields(fieldOf(record, 'balances'), { currency: is.text, amount: is.number }),
      );
    },
  },
  {
    id: 'user-record',
    section: 'User, company and permissions',
    sentence:
      'User information has userFullInfo, permissions and availableAccounts, with documented roles.',
    needs: ['USER'],
    leaves: 'nothing',
    try: async (service) => {
      const answer = await service.send('USER', { account: null });
      const record = recordOf(answer, 'userFullInfo');
      const user = fieldOf(record, 'userFullInfo');
      return all(
        () => succeeded(answer),
        () =>
          hasFields(user, {
            id: is.uuid,
            username: is.uuid,
            companyId: is.optional(is.uuid),
            companyName: is.optional(is.text),
            active: is.boolean,
            blocked: is.boolean,
            roles: isRoles,
          }),
        () =>
          eachHasFields(fieldOf(record, 'permissions'), {
            accountId: is.text,
            accountName: is.text,
            permissionGroups: isGroups,
          }),
        () =>
          eachHasFields(fieldOf(record, 'availableAccounts'), { account: is.text, name: is.text }),
      );
    },
  },
];

const isRoles = (value: unknown): boolean =>
  Array.isArray(value) && new Set(value).size === value.length && value.every(is.oneOf(USER_ROLES));

const isGroups = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every(
    (group) =>
      hasFields(group, { groupId: is.integer, name: is.text, permissionData: is.object }).kind ===
      'met',
  );
