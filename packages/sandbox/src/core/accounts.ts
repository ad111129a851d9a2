import { createHash } from 'node:crypto';
import type { UserRole } from '@bursar/merchant-api/spec';

/** Facts of an account that the sandbox invents. The same account always gets the same facts. */
export const accountNameOf = (account: string): string => `Sandbox account ${account.slice(-4)}`;

export const ownerIdOf = (account: string): string => uuidOf(`owner of ${account}`);

export const companyIdOf = (account: string): string => uuidOf(`company of ${account}`);

/**
 * Returns the user of a key, who owns its first account.
 * ASSUMED: the spec does not show which roles let a user pay.
 */
export const userOf = (account: string) => ({
  id: ownerIdOf(account),
  username: uuidOf(`username of ${account}`),
  companyId: companyIdOf(account),
  companyName: `Sandbox company ${account.slice(-4)}`,
  active: true,
  blocked: false,
  roles: ['ACCOUNT', 'COMPANY_ADMIN'] as const satisfies readonly UserRole[],
});

/** ASSUMED: the spec shows neither the groups of permissions nor the keys of their data. */
export const PERMISSION_GROUPS = [
  { groupId: 1, name: 'Payouts', permissionData: { PAYOUT: 'WRITE' } },
  { groupId: 2, name: 'Wallets', permissionData: { WALLET: 'WRITE' } },
];

function uuidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
