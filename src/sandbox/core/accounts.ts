import { createHash } from 'node:crypto';

/** Facts of an account that the sandbox makes up; the same for the same account, always. */
export const accountNameOf = (account: string): string => `Sandbox account ${account.slice(-4)}`;

export const ownerIdOf = (account: string): string => uuidOf(`owner of ${account}`);

export const companyIdOf = (account: string): string => uuidOf(`company of ${account}`);

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
