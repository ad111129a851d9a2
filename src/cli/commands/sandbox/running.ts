import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { OPERATIONS } from '@bursar/merchant-api/spec';
import { z } from 'zod';
import { EXIT } from '../../../domain/errors/exit-codes.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { instantText } from '../../../operations/text/instants.ts';
import { operation, optionalFlag } from '../../operation-table/operation.ts';
import { list, render } from '../../operation-table/printout.ts';
import type { Context } from '../../context.ts';
import { printResult, printDocument } from '../../print/output.ts';
import { balancesText } from '../../print/record-text.ts';
import type { SandboxClient } from '../../sandbox/client.ts';
import { clockText } from '../../sandbox/clock-text.ts';
import { runSandbox } from '../../sandbox/foreground.ts';
import { followFrom, sandboxPages, TAIL_DEFAULT, tailList } from '../../sandbox/pages.ts';
import { printable } from '../../terminal/printable.ts';
import { factLines } from '../../terminal/table.ts';
import { followFlag, fromOneUp, oneOf, onlyAccount, tailFields, text } from './fields.ts';
import { modeLines } from './modes.ts';
import { refuseEndlessJson, sandboxOperation } from './operations.ts';

const READY_LINE = 'sandbox listening on ';

function printLine(line: string, context: Context): void {
  if (context.format === 'text' || !line.startsWith(READY_LINE)) context.print(line);
  else {
    const json = { schema: 'bursar.sandbox-start/v1', url: line.slice(READY_LINE.length) };
    printResult(context, { json, text: line });
  }
}

async function readStatus(sandbox: SandboxClient) {
  const { status: health } = await sandbox.call('GET /health');
  const clock = await sandbox.call('GET /clock');
  const { operations } = await sandbox.call('GET /operations');
  const { modes, overrides } = await sandbox.call('GET /modes');
  const { faults } = await sandbox.call('GET /faults');
  return { status: health, clock, operations, modes, overrides, faults: faults.length };
}

type Status = Awaited<ReturnType<typeof readStatus>>;

function statusText(url: string, found: Status, { colours, clock }: Context): string {
  const { operations, modes, overrides, faults } = found;
  return [
    colours.bold(`The sandbox at ${url} works.`),
    ...factLines([
      ['time', instantText(found.clock.time, clock)],
      ['clock', clockText(found.clock)],
      ['faults', faults === 0 ? 'none' : `${faults}; see "bursar sandbox faults"`],
    ]),
    colours.bold('Operations'),
    ...factLines(operations.map((of) => [printable(of.operation), printable(of.path)])),
    colours.bold('Modes'),
    ...modeLines({ modes, overrides }),
  ].join('\n');
}

/** The program that opens an address in the person's browser. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['explorer.exe'],
};

/** Opens an address in a browser, and does not wait for it to be closed. Throws FLAG_INVALID where that cannot be done. */
async function openPage(url: string, { env }: Context): Promise<void> {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const opener = spawn(program, [...args, url], { env, detached: true, stdio: 'ignore' });
  try {
    await once(opener, 'spawn');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw flagInvalid('--open', `${program} cannot be run (${code}); open the address yourself`);
  }
  opener.unref();
}

const LOG_VIEW = sandboxPages('GET /requests', 'requests', {
  schema: 'bursar.sandbox-log/v1',
  lineSchema: 'bursar.sandbox-request/v1',
  columns: [
    { title: 'N', width: 6, right: true, cell: (of) => of.n },
    { title: 'OPERATION', width: 16, cell: (of) => of.operation },
    { title: 'STATUS', width: 6, right: true, cell: (of) => of.status },
    { title: 'ERROR', width: 24, cell: (of) => of.errorCode },
    { title: 'OBJECT', width: 36, cell: (of) => of.objectId },
    { title: 'KEY', width: 36, cell: (of) => of.idempotencyKey },
    { title: 'FAULT', width: 16, cell: (of) => of.fault },
    { title: 'TIME', width: 0, cell: (of) => ({ moment: of.time }) },
  ],
});

const BALANCE_VIEW = sandboxPages('GET /ledger', 'balances', {
  schema: 'bursar.sandbox-ledger/v1',
  lineSchema: 'bursar.sandbox-balance/v1',
  columns: [
    { title: 'ACCOUNT', width: 42, cell: (of) => of.account },
    { title: 'CURRENCY', width: 12, cell: (of) => of.currency },
    { title: 'OPENING', width: 16, right: true, cell: (of) => of.opening },
    { title: 'CHANGES', width: 16, right: true, cell: (of) => of.sum },
    { title: 'BALANCE', width: 16, right: true, cell: (of) => of.balance },
    { title: 'TIES OUT', width: 0, cell: (of) => (of.tiesOut ? 'yes' : 'NO') },
  ],
});

const ENTRY_VIEW = sandboxPages('GET /ledger', 'entries', {
  schema: 'bursar.sandbox-entries/v1',
  lineSchema: 'bursar.sandbox-entry/v1',
  columns: [
    { title: 'N', width: 6, right: true, cell: (of) => of.n },
    { title: 'KIND', width: 13, cell: (of) => of.kind },
    { title: 'AMOUNT', width: 16, right: true, cell: (of) => of.amount },
    { title: 'CURRENCY', width: 12, cell: (of) => of.currency },
    { title: 'MASS PAYOUT', width: 36, cell: (of) => of.massPayoutId },
    { title: 'WITHDRAWAL', width: 36, cell: (of) => of.withdrawalId },
    { title: 'TIME', width: 0, cell: (of) => ({ moment: of.time }) },
  ],
});

const WALLET_VIEW = sandboxPages('GET /wallets', 'wallets', {
  schema: 'bursar.sandbox-wallets/v1',
  lineSchema: 'bursar.sandbox-wallet/v1',
  columns: [
    { title: 'BLOCKCHAIN', width: 10, cell: (of) => of.blockchain },
    { title: 'ADDRESS', width: 44, cell: (of) => of.address },
    { title: 'NAME', width: 20, cell: (of) => of.name },
    { title: 'ACCOUNT', width: 42, cell: (of) => of.account },
    { title: 'BALANCES', width: 0, cell: (of) => balancesText(of.balances) },
  ],
});

const MOVEMENT_VIEW = sandboxPages('GET /movements', 'movements', {
  schema: 'bursar.sandbox-movements/v1',
  lineSchema: 'bursar.sandbox-movement/v1',
  columns: [
    { title: 'N', width: 6, right: true, cell: (of) => of.n },
    { title: 'CODE', width: 26, cell: (of) => of.opCode },
    { title: 'TRANSACTIONS', width: 12, right: true, cell: (of) => of.transactions },
    { title: 'AMOUNT', width: 16, right: true, cell: (of) => of.amount },
    { title: 'FEE', width: 12, right: true, cell: (of) => of.fee },
    { title: 'CURRENCY', width: 12, cell: (of) => of.currency },
    { title: 'MASS PAYOUT', width: 36, cell: (of) => of.massPayoutId },
    { title: 'TIME', width: 0, cell: (of) => ({ moment: of.time }) },
  ],
});

/** Commands that run a sandbox, and that read its state and its lists. */
export const RUNNING_OPERATIONS = [
  operation({
    name: 'start',
    summary: 'start a sandbox in the foreground, until Ctrl-C (as "npm run sandbox" does)',
    fields: { url: text.optional() },
    async run({ url }, context) {
      if (url !== undefined) {
        throw flagInvalid(
          '--url',
          'a new sandbox listens at the address of BURSAR_SANDBOX_LISTEN or of [sandbox] in bursar.toml',
        );
      }
      return runSandbox(context, (line) => printLine(line, context));
    },
  }),
  sandboxOperation({
    name: 'status',
    summary: 'show whether it works, what it serves, and how it is played',
    async run(_given, sandbox, context) {
      const found = await readStatus(sandbox);
      return {
        schema: 'bursar.sandbox-status/v1',
        record: { url: sandbox.url, ...found },
        text: statusText(sandbox.url, found, context),
      };
    },
  }),
  sandboxOperation({
    name: 'console',
    summary: 'print the address of its page, on which people see and do everything',
    fields: { open: optionalFlag('--open', 'open it in the browser too', z.boolean()) },
    async run({ open }, sandbox, context) {
      await sandbox.call('GET /health');
      const url = `${sandbox.url}/sandbox/console`;
      // Printed first: where nothing can open the address, the person still sees it.
      await render({ schema: 'bursar.sandbox-console/v1', record: { url }, text: url }, context);
      if (open) await openPage(url, context);
      return EXIT.done;
    },
  }),
  sandboxOperation({
    name: 'openapi',
    summary: 'print the OpenAPI document of what it serves',
    async run(_given, sandbox, context) {
      printDocument(context, await sandbox.call('GET /openapi.json'));
      return EXIT.done;
    },
  }),
  sandboxOperation({
    name: 'log',
    summary: 'list the requests to the operations, the latest last',
    fields: {
      ...tailFields,
      operation: optionalFlag(
        '--operation <operation>',
        'only requests to this operation, such as MASS_CREATE',
        oneOf(OPERATIONS),
      ),
      status: optionalFlag('--status <status>', 'only requests with this HTTP status', fromOneUp),
      idempotencyKey: optionalFlag('--key <uuid>', 'only requests with this idempotency key', text),
      since: optionalFlag(
        '--since <instant>',
        'only requests from then on, such as 2026-12-01T09:00:00Z',
        text,
      ),
      follow: followFlag('go on with the requests that come, until Ctrl-C'),
    },
    async run({ follow, ...given }, sandbox, context) {
      if (!follow) return tailList(sandbox, LOG_VIEW, given);
      refuseEndlessJson(context);
      const { tail = TAIL_DEFAULT, ...query } = given;
      return list(LOG_VIEW, followFrom({ sandbox, view: LOG_VIEW, query }, tail, context));
    },
  }),
  sandboxOperation({
    name: 'ledger',
    summary: 'show the balances, and whether they tie out with the ledger',
    fields: {
      ...tailFields,
      ...onlyAccount,
      currency: optionalFlag('--currency <currency>', 'only this currency', text),
      entries: optionalFlag('--entries', 'list the entries instead of the balances', z.boolean()),
    },
    async run({ tail, entries, ...query }, sandbox) {
      if (entries) return tailList(sandbox, ENTRY_VIEW, { tail, ...query });
      if (tail !== undefined) throw flagInvalid('--tail', 'it belongs to --entries');
      const { balances } = await sandbox.call('GET /ledger', { ...query, limit: 1 });
      return list(BALANCE_VIEW, balances);
    },
  }),
  sandboxOperation({
    name: 'wallets',
    summary: 'list the settlement wallets with their balances',
    fields: { ...tailFields, ...onlyAccount },
    run: async (given, sandbox) => tailList(sandbox, WALLET_VIEW, given),
  }),
  sandboxOperation({
    name: 'movements',
    summary: 'list what happened on the network: top-ups, and withdrawals that were paid, in sums',
    fields: { ...tailFields, ...onlyAccount },
    run: async (given, sandbox) => tailList(sandbox, MOVEMENT_VIEW, given),
  }),
];
