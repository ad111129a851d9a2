import { actionOf, type AddCommands } from './add-commands.ts';

const ADDRESS = ['<address>', 'the address of the payee'] as const;
const CURRENCY = [
  '--currency <currency>',
  'its currency or network, if the address exists on several',
] as const;
const REASON = ['--reason <text>', 'the reason; the register and the audit log show it'] as const;

/** The commands of the register of payees. */
export const addPayeeCommands: AddCommands = (program, run) => {
  const load = () => import('../commands/payees.ts');
  const payees = program
    .command('payees')
    .helpCommand(false)
    .summary('the register of payees')
    .description('The register of payees of the account: names, labels, and who may be paid.');
  payees
    .command('list')
    .option('--search <text>', 'only payees with this text in address, name or labels')
    .description('list the payees of the register')
    .action(actionOf(run, async () => (await load()).listAllPayees));
  payees
    .command('show')
    .argument(...ADDRESS)
    .option(...CURRENCY)
    .description('show a payee, and when it was paid first and last')
    .action(actionOf(run, async () => (await load()).showOnePayee));
  payees
    .command('import')
    .argument('<file>', 'a CSV file: address,currency,name,labels,email')
    .description('add payees, or change names and labels; it lifts no denial')
    .action(actionOf(run, async () => (await load()).importPayeeFile));
  payees
    .command('export')
    .description('print the register as CSV, which import reads')
    .action(actionOf(run, async () => (await load()).exportPayees));
  payees
    .command('allow')
    .argument(...ADDRESS)
    .option(...CURRENCY)
    .requiredOption(...REASON)
    .description('add a payee, or lift a denial')
    .action(actionOf(run, async () => (await load()).allowPayee));
  payees
    .command('deny')
    .argument(...ADDRESS)
    .option(...CURRENCY)
    .requiredOption(...REASON)
    .description('deny payments to this address in later plans')
    .action(actionOf(run, async () => (await load()).denyPayee));
  payees
    .command('name')
    .argument(...ADDRESS)
    .argument('<name>', 'its name; an empty one removes the name')
    .option(...CURRENCY)
    .description('give a payee of the register a name')
    .action(actionOf(run, async () => (await load()).namePayee));
  payees
    .command('email')
    .argument(...ADDRESS)
    .argument('<email>', 'e-mail address for notices of payments; an empty one removes it')
    .option(...CURRENCY)
    .description('give a payee of the register an e-mail address')
    .action(actionOf(run, async () => (await load()).emailPayee));
  payees
    .command('label')
    .argument(...ADDRESS)
    .argument('[labels...]', 'all its labels from now on; none removes them')
    .option(...CURRENCY)
    .description('give a payee of the register labels')
    .action(actionOf(run, async () => (await load()).labelPayee));
};
