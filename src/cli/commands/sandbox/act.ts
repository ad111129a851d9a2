import { EXIT } from '../../../domain/errors/exit-codes.ts';
import type { Context } from '../../context.ts';
import { readCount } from '../../../operations/input/lists.ts';
import { printResult } from '../../print/output.ts';
import type { SandboxFlags } from '../../sandbox/address.ts';
import { MassPayout } from '../../sandbox/money-records.ts';
import { openSandbox } from './open.ts';
import { massPayoutText } from './payout-text.ts';

/** What a person does with a mass payout in the service's own interface. */
export type ActName = 'confirm' | 'decline' | 'resend' | 'end-waiting';

export type ActFlags = SandboxFlags & Readonly<{ act: ActName; id: string; positions?: string }>;

/** `bursar sandbox confirm|decline|resend|end-waiting ID`: prints the mass payout as it is then. */
export async function act(
  { act: name, id, positions, ...flags }: ActFlags,
  context: Context,
): Promise<number> {
  const chosen = positions === undefined ? {} : { positions: readPositions(positions) };
  const sandbox = await openSandbox(flags, context);
  const massPayout = await sandbox.ask({
    method: 'POST',
    path: `/mass-payouts/${name}`,
    body: { id, ...chosen },
    answer: MassPayout,
  });
  printResult(context, {
    json: { schema: 'bursar.sandbox-payout/v1', ...massPayout },
    text: massPayoutText(massPayout, context),
  });
  return EXIT.done;
}

const readPositions = (text: string): number[] =>
  text.split(',').map((position) => readCount('--positions', position.trim()));
