import { actionOf, type AddCommands } from './add-commands.ts';

/** The commands that start processes on this machine. */
export const addLocalCommands: AddCommands = (program, run) => {
  program.commandsGroup('Running:');
  program
    .command('up')
    .option('--no-sandbox', 'start no sandbox; needs the settings of a real service')
    .option('--free-ports', 'use other ports if the usual ones are in use')
    .option('--encrypt', 'encrypt the data of Temporal; makes the keys if there are none')
    .summary('start the whole local stack')
    .description('Starts Temporal, the bridge, the sandbox and a worker, until Ctrl-C.')
    .action(actionOf(run, async () => (await import('../commands/up.ts')).up));
  program
    .command('demo')
    .option('--keep', 'keep the stack running after the payments')
    .summary('pay the example files on a sandbox of their own')
    .description(
      'Starts its own local stack in .bursar/demo (emptied first), pays the example files on the sandbox, and returns the worst exit code.',
    )
    .action(actionOf(run, async () => (await import('../commands/demo.ts')).demo));
  program
    .command('serve')
    .summary('run the web app for people, and the operations over HTTP')
    .description(
      [
        'Runs the web app, where people sign in with passkeys, and offers the operations over HTTP, until Ctrl-C.',
        'Programs need a token: bursar token create NAME. A token approves nothing: approvals are signed by people.',
      ].join('\n'),
    )
    .action(actionOf(run, async () => (await import('../commands/serve.ts')).serve));
  addTokenCommands(program, run);
  program
    .command('run-temporal', { hidden: true })
    .description('start nothing but Temporal, in the foreground')
    .action(actionOf(run, async () => (await import('../commands/up.ts')).runTemporal));
};

const addTokenCommands: AddCommands = (program, run) => {
  const load = () => import('../commands/token.ts');
  const token = program
    .command('token')
    .helpCommand(false)
    .description('the tokens of programs that use "bursar serve"');
  token
    .command('create')
    .argument('<name>', 'its name in the audit log, such as payroll-backend')
    .option(
      '--role <role>',
      'read, submit (also submits) or operate (also stops and answers)',
      'read',
    )
    .option('--for-account <name>', 'one of [accounts.NAME]; the token sees no other account')
    .option('--expires <time>', 'how long it is valid, such as 90d; by default until it is revoked')
    .description('make a token, and print it once')
    .action(actionOf(run, async () => (await load()).createToken));
  token
    .command('list')
    .description('list the tokens by their names')
    .action(actionOf(run, async () => (await load()).listTokens));
  token
    .command('revoke')
    .argument('<name>', 'name of the token')
    .description('refuse a token from now on')
    .action(actionOf(run, async () => (await load()).revokeToken));
};
