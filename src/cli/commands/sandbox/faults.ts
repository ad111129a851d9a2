import { EXIT } from '../../../domain/errors/exit-codes.ts';
import type { Context } from '../../context.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { readCount } from '../../../operations/input/lists.ts';
import { printResult } from '../../print/output.ts';
import { addFault, clearFaults } from '../../sandbox/acts.ts';
import type { SandboxFlags } from '../../sandbox/address.ts';
import { type Fault, Faults } from '../../sandbox/play-records.ts';
import { printable } from '../../terminal/printable.ts';
import { createTable } from '../../terminal/table.ts';
import { openSandbox, printAll } from './open.ts';

/** `bursar sandbox faults list`: what goes wrong on purpose, and how often it did. */
export async function faults(flags: SandboxFlags, context: Context): Promise<number> {
  const sandbox = await openSandbox(flags, context);
  const answer = await sandbox.ask({ path: '/faults', answer: Faults });
  await printAll(context, answer.faults, output());
  return EXIT.done;
}

/** Flags of a fault; which of them a kind takes is decided by the sandbox. */
export type AddFaultFlags = SandboxFlags &
  Readonly<{
    kind: string;
    target: string;
    account?: string;
    key?: string;
    skip?: string;
    next?: string;
    probability?: string;
    seed?: string;
    delayMs?: string;
    timestampAt?: string;
    status?: string;
    page?: string;
    retryAfterS?: string;
    location?: string;
    sizeBytes?: string;
    copies?: string;
  }>;

/** `bursar sandbox faults add KIND --target TARGET`: makes something go wrong. */
export async function addOneFault(flags: AddFaultFlags, context: Context): Promise<number> {
  const fault = await addFault(await openSandbox(flags, context), ruleOf(flags));
  printResult(context, {
    json: { schema: 'bursar.sandbox-fault/v1', ...fault },
    text: printable(`Fault ${fault.id} is there: ${fault.kind} of ${fault.target}.`),
  });
  return EXIT.done;
}

const ruleOf = (flags: AddFaultFlags) => ({
  target: flags.target,
  kind: flags.kind,
  account: flags.account,
  idempotencyKey: flags.key,
  skip: whole('--skip', flags.skip),
  next: whole('--next', flags.next),
  probability: probability(flags.probability),
  seed: whole('--seed', flags.seed),
  delayMs: whole('--delay-ms', flags.delayMs),
  timestampAt: flags.timestampAt,
  httpStatus: whole('--status', flags.status),
  page: flags.page,
  retryAfterS: whole('--retry-after-s', flags.retryAfterS),
  location: flags.location,
  sizeBytes: whole('--size-bytes', flags.sizeBytes),
  copies: whole('--copies', flags.copies),
});

function whole(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw flagInvalid(flag, `"${text}" is not a whole number from 0 up`);
}

function probability(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/.test(text)) return Number(text);
  throw flagInvalid('--probability', `"${text}" is not a number from 0 to 1`);
}

export type ClearFaultsFlags = SandboxFlags & Readonly<{ id?: string }>;

/** `bursar sandbox faults clear [ID]`: takes away one fault, or all of them; prints those that are left. */
export async function clear({ id, ...flags }: ClearFaultsFlags, context: Context): Promise<number> {
  const one = id === undefined ? undefined : readCount('ID', id);
  const sandbox = await openSandbox(flags, context);
  const left = await clearFaults(sandbox, one);
  await printAll(context, left.faults, output());
  return EXIT.done;
}

function output() {
  const table = createTable([
    { title: 'ID', width: 4, right: true },
    { title: 'TARGET', width: 16 },
    { title: 'KIND', width: 18 },
    { title: 'ASKED', width: 6, right: true },
    { title: 'FIRED', width: 6, right: true },
    { title: 'RULE', width: 0 },
  ]);
  return {
    schema: 'bursar.sandbox-faults/v1',
    name: 'faults',
    lineSchema: 'bursar.sandbox-fault/v1',
    header: table.header(),
    textOf: ({ id, target, kind, drawn, fired, ...rule }: Fault) =>
      table.row([
        String(id),
        printable(target),
        printable(kind),
        String(drawn),
        String(fired),
        printable(ruleText(rule)),
      ]),
  };
}

const ruleText = (rule: Readonly<Record<string, unknown>>): string =>
  Object.entries(rule)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ');
