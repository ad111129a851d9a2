import { ACCOUNT_UUID_PATTERN } from '@bursar/merchant-api/spec';

/**
 * Returns the UUID of an account.
 * ASSUMED: the spec shows both forms of an account id, but not how to convert them. Here the UUID
 * is the last 32 digits.
 */
export function accountUuidOf(account: string): string {
  const digits = account.slice(-32).toLowerCase();
  const groups = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(digits) ?? [];
  return groups.slice(1).join('-');
}

export const isAccountUuid = (text: string): boolean => ACCOUNT_UUID_PATTERN.test(text);

/** Returns the account with this UUID, or null. */
export const accountOfUuid = (uuid: string, accounts: readonly string[]): string | null =>
  accounts.find((account) => accountUuidOf(account) === uuid.toLowerCase()) ?? null;
