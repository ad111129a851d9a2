import { ACCOUNT_ID_PATTERN, ACCOUNT_OPERATIONS, type Operation } from '@bursar/merchant-api/spec';
import { accountOfUuid, accountUuidOf, isAccountUuid } from '../core/account-ids.ts';
import { DEFAULT_MODES, type Modes } from '../core/modes.ts';
import { Refused } from '../core/refusals.ts';
import { AccountId } from './fields.ts';

type AccountCaller = Readonly<{
  operation: Operation;
  accounts: readonly string[];
  modes: Modes;
}>;

type Unchecked = Readonly<Record<string, unknown>>;

/**
 * Returns a body in the form of the default modes, which the schemas of the operations check: it has `account` where they
 * have it, as the service issued it. Throws Refused for an account in another form than the modes accept, for one where
 * the operation carries none, and where the key has several accounts and the operation carries none to choose one.
 */
export function withAccountAsIssued(unchecked: unknown, caller: AccountCaller): unknown {
  if (typeof unchecked !== 'object' || unchecked === null || Array.isArray(unchecked)) {
    return unchecked;
  }
  const body = unchecked as Unchecked;
  const { operation, modes, accounts } = caller;
  const isNamed = Object.hasOwn(body, 'account');
  if (ACCOUNT_OPERATIONS[modes.accountIn].includes(operation)) {
    const account = body['account'];
    return typeof account === 'string' && isNamed
      ? { ...body, account: issuedAccount(account, caller) }
      : body;
  }
  if (isNamed) throw new Refused('FIELD_UNKNOWN', 'account: the operation carries none');
  return isScoped(operation) ? { ...body, account: soleAccount(accounts) } : body;
}

/** Whether the schema of an operation has `account`. */
const isScoped = (operation: Operation): boolean =>
  ACCOUNT_OPERATIONS[DEFAULT_MODES.accountIn].includes(operation);

/**
 * Takes the account out of the body of an operation whose schema has none, where the modes let it carry one. Throws
 * Refused for a missing account.
 */
export function takeAccount(
  body: unknown,
  { operation, modes }: AccountCaller,
): Readonly<{ body: unknown; account?: string }> {
  if (isScoped(operation) || !ACCOUNT_OPERATIONS[modes.accountIn].includes(operation)) {
    return { body };
  }
  if (typeof body !== 'object' || body === null) return { body };
  const { account, ...rest } = body as Unchecked;
  const checked = AccountId.safeParse(account);
  if (!checked.success) throw new Refused('FIELD_INVALID', 'account: must be an account id');
  return { body: rest, account: checked.data };
}

/**
 * ASSUMED: the spec does not show on which account an operation without `account` acts. A key with several is refused:
 * a service that chose one could pay from the wrong account.
 */
function soleAccount(accounts: readonly string[]): string {
  const [only, another] = accounts;
  if (only === undefined || another !== undefined) {
    throw new Refused('FIELD_INVALID', 'account: cannot be left out, because the key has several');
  }
  return only;
}

/**
 * Inside the sandbox an account has the hexadecimal id that the settings gave it. A text that is no id stays as it is, and
 * the schema refuses it.
 */
function issuedAccount(named: string, { accounts, modes }: AccountCaller): string {
  if (modes.accountCase === 'lower' && named !== named.toLowerCase()) {
    throw new Refused('FIELD_INVALID', 'account: must be in lower case');
  }
  if (isAccountUuid(named) && modes.accountId !== 'hex') return accountWithUuid(named, accounts);
  if (modes.accountId === 'uuid') throw new Refused('FIELD_INVALID', 'account: must be a UUID');
  if (modes.accountCase === 'exact' || !ACCOUNT_ID_PATTERN.test(named)) return named;
  const lower = named.toLowerCase();
  return accounts.find((account) => account.toLowerCase() === lower) ?? named;
}

function accountWithUuid(uuid: string, accounts: readonly string[]): string {
  const account = accountOfUuid(uuid, accounts);
  if (account === null) throw new Refused('ACCOUNT_FORBIDDEN');
  return account;
}

/** Returns a function that writes an account in an answer, or null where answers have it as it was issued. */
export function accountWriter(
  unchecked: unknown,
  { accountId, accountCase }: Modes,
): ((account: string) => string) | null {
  if (accountId === 'uuid' || (accountId === 'either' && namesUuid(unchecked)))
    return accountUuidOf;
  return accountCase === 'lower' ? (account) => account.toLowerCase() : null;
}

function namesUuid(unchecked: unknown): boolean {
  if (typeof unchecked !== 'object' || unchecked === null) return false;
  if (!Object.hasOwn(unchecked, 'account')) return false;
  const { account } = unchecked as { account: unknown };
  return typeof account === 'string' && isAccountUuid(account);
}
