import type { ConsoleFlags } from '../../commands/sandbox/console.ts';
import type { LedgerFlags } from '../../commands/sandbox/ledger.ts';
import type { LogFlags } from '../../commands/sandbox/log.ts';
import type { MovementsFlags } from '../../commands/sandbox/movements.ts';
import type { WalletsFlags } from '../../commands/sandbox/wallets.ts';
import type { AddCommands } from '../add-commands.ts';
import { ACCOUNT, tail } from './options.ts';

/** A sandbox as it stands, and what was asked of it. */
export const addSandboxLookingCommands: AddCommands = (sandbox, run) => {
  sandbox.commandsGroup('Running and looking:');
  sandbox
    .command('start')
    .description('start a sandbox in the foreground, until Ctrl-C (as "npm run sandbox" does)')
    .action(() => run(async () => (await import('../../commands/sandbox/start.ts')).start, {}));
  sandbox
    .command('status')
    .description('show whether it works, what it serves, and how it is played')
    .action(() => run(async () => (await import('../../commands/sandbox/status.ts')).status, {}));
  sandbox
    .command('console')
    .option('--open', 'open it in the browser too')
    .description('print the address of its page for people, who look and act there')
    .action((flags: ConsoleFlags) =>
      run(async () => (await import('../../commands/sandbox/console.ts')).console, flags),
    );
  sandbox
    .command('openapi')
    .description('print the OpenAPI document of what it serves')
    .action(() => run(async () => (await import('../../commands/sandbox/openapi.ts')).openapi, {}));
  tail(sandbox.command('log'))
    .option('--operation <operation>', 'only requests to this operation, such as MASS_CREATE')
    .option('--status <status>', 'only requests with this HTTP status')
    .option('--key <uuid>', 'only requests with this idempotency key')
    .option('--since <instant>', 'only requests from then on, such as 2026-12-01T09:00:00Z')
    .option('-f, --follow', 'go on with the requests that come, until Ctrl-C')
    .description('list the requests to the operations, the latest last')
    .action((flags: LogFlags) =>
      run(async () => (await import('../../commands/sandbox/log.ts')).log, flags),
    );
  tail(sandbox.command('ledger'))
    .option(...ACCOUNT)
    .option('--currency <currency>', 'only this currency')
    .option('--entries', 'list the entries instead of the balances')
    .description('show the balances, and whether they tie out with the ledger')
    .action((flags: LedgerFlags) =>
      run(async () => (await import('../../commands/sandbox/ledger.ts')).ledger, flags),
    );
  tail(sandbox.command('wallets'))
    .option(...ACCOUNT)
    .description('list the settlement wallets with their balances')
    .action((flags: WalletsFlags) =>
      run(async () => (await import('../../commands/sandbox/wallets.ts')).wallets, flags),
    );
  tail(sandbox.command('movements'))
    .option(...ACCOUNT)
    .description(
      'list what happened on the network: top-ups, and withdrawals that were paid, in sums',
    )
    .action((flags: MovementsFlags) =>
      run(async () => (await import('../../commands/sandbox/movements.ts')).movements, flags),
    );
};
