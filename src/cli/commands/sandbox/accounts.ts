import { EXIT } from '../../../domain/errors/exit-codes.ts';
import type { Context } from '../../context.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { printResult } from '../../print/output.ts';
import type { SandboxFlags } from '../../sandbox/address.ts';
import { Account, Accounts } from '../../sandbox/money-records.ts';
import { printable } from '../../terminal/printable.ts';
import { createTable } from '../../terminal/table.ts';
import { openSandbox, printAll } from './open.ts';

const PATH = '/accounts';

/** `bursar sandbox accounts list`: the accounts, and how many people confirm their mass payouts. */
export async function accounts(flags: SandboxFlags, context: Context): Promise<number> {
  const sandbox = await openSandbox(flags, context);
  const found = await sandbox.ask({ path: PATH, answer: Accounts });
  await printAll(context, found.accounts, output());
  return EXIT.done;
}

export type SetAccountFlags = SandboxFlags & Readonly<{ people: string; account?: string }>;

/** `bursar sandbox accounts set PEOPLE`: how many people must confirm each mass payout of an account. */
export async function setAccount(
  { people, account, ...flags }: SetAccountFlags,
  context: Context,
): Promise<number> {
  const confirmations = readPeople(people);
  const sandbox = await openSandbox(flags, context);
  const body = { account, confirmations };
  const changed = await sandbox.ask({ method: 'POST', path: PATH, body, answer: Account });
  printResult(context, {
    json: { schema: 'bursar.sandbox-account/v1', ...changed },
    text: printable(`${changed.account}: ${peopleText(changed.confirmations)}.`),
  });
  return EXIT.done;
}

/** Null for the word that gives the account back to the settings. */
function readPeople(text: string): number | null {
  if (text === 'reset') return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw flagInvalid('PEOPLE', `"${text}" is neither a whole number from 0 up nor reset`);
}

function peopleText(people: number): string {
  if (people === 0) return 'nobody has to confirm a mass payout';
  return people === 1
    ? 'one person must confirm each mass payout'
    : `${people} people must confirm each mass payout`;
}

function output() {
  const table = createTable([
    { title: 'ACCOUNT', width: 42 },
    { title: 'CONFIRMATIONS', width: 13, right: true },
    { title: 'NAME', width: 0 },
  ]);
  return {
    schema: 'bursar.sandbox-accounts/v1',
    name: 'accounts',
    lineSchema: 'bursar.sandbox-account/v1',
    header: table.header(),
    textOf: ({ account, confirmations, name }: Account) =>
      table.row([printable(account), String(confirmations), printable(name)]),
  };
}
