import { isAccountId } from '@bursar/merchant-api/spec';
import { AHEAD_MS_DEFAULT, readFunds } from '../../app/account/funds.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { readDurationMs } from '../../operations/input/duration.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import type { Command } from '../context.ts';
import { perform } from '../perform.ts';
import { fundsText } from '../print/funds-text.ts';
import { printResult } from '../print/output.ts';

type FundsFlags = Readonly<{ account?: string; ahead?: string }>;

/** `bursar funds`: what an account holds, who wants it, and when it will fall short. */
export const funds: Command<FundsFlags> = async (flags, context) => {
  const aheadMs =
    flags.ahead === undefined ? AHEAD_MS_DEFAULT : readDurationMs('--ahead', flags.ahead);
  const chosen = flags.account === undefined ? {} : { account: readAccount(flags.account) };
  const view = await perform(readFunds, { ...chosen, aheadMs }, context);
  printResult(context, { json: view, text: fundsText(view, context) });
  return EXIT.done;
};

/** Checks the id of an account. Throws FLAG_INVALID. */
function readAccount(text: string): string {
  if (isAccountId(text)) return text;
  throw flagInvalid('--account', `"${text}" is not 0x and 40 hexadecimal digits (or a UUID)`);
}
