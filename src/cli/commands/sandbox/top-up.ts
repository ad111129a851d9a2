import { EXIT } from '../../../domain/errors/exit-codes.ts';
import type { Context } from '../../context.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { printResult } from '../../print/output.ts';
import { PLAIN_DECIMAL, topUp } from '../../sandbox/acts.ts';
import type { SandboxFlags } from '../../sandbox/address.ts';
import { printable } from '../../terminal/printable.ts';
import { openSandbox } from './open.ts';

export type TopUpFlags = SandboxFlags &
  Readonly<{ amount: string; currency: string; account?: string; opcode?: string }>;

/** `bursar sandbox top-up AMOUNT CURRENCY`: adds money to a balance. */
export async function addMoney(
  { amount, currency, account, opcode, ...flags }: TopUpFlags,
  context: Context,
): Promise<number> {
  if (!PLAIN_DECIMAL.test(amount)) {
    throw flagInvalid('AMOUNT', `"${amount}" is not a plain decimal such as 12.5`);
  }
  const sandbox = await openSandbox(flags, context);
  const answer = await topUp(sandbox, { amount, currency, account, opCode: opcode });
  printResult(context, {
    json: { schema: 'bursar.sandbox-top-up/v1', ...answer },
    text: printable(`${answer.account} has ${answer.balance} ${answer.currency} now.`),
  });
  return EXIT.done;
}
