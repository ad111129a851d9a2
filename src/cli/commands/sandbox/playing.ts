import type { AdminFault } from '@bursar/sandbox/admin';
import { flag, optionalFlag } from '../../operation-table/operation.ts';
import { list, type ListView } from '../../operation-table/printout.ts';
import { printable } from '../../terminal/printable.ts';
import { CASE_OPERATIONS } from './cases.ts';
import { clock } from './clock.ts';
import { FATE_OPERATIONS } from './fates.ts';
import { fromOneUp, fromZeroUp, probability, text } from './fields.ts';
import { fixtures } from './fixtures.ts';
import { MODE_OPERATIONS } from './modes.ts';
import { sandboxOperation, sandboxRecord } from './operations.ts';
import { STATE_OPERATIONS } from './states.ts';

const FAULT_VIEW: ListView<AdminFault> = {
  schema: 'bursar.sandbox-faults/v1',
  array: 'faults',
  lineSchema: 'bursar.sandbox-fault/v1',
  columns: [
    { title: 'ID', width: 4, right: true, cell: (of) => of.id },
    { title: 'TARGET', width: 16, cell: (of) => of.target },
    { title: 'KIND', width: 18, cell: (of) => of.kind },
    { title: 'ASKED', width: 6, right: true, cell: (of) => of.drawn },
    { title: 'FIRED', width: 6, right: true, cell: (of) => of.fired },
    { title: 'RULE', width: 0, cell: (of) => ruleText(of) },
  ],
};

/** The fields that belong to the kind of a fault. */
function ruleText(fault: AdminFault): string {
  const { id: _, target: _target, kind: _kind, drawn: _drawn, fired: _fired, ...rule } = fault;
  return Object.entries(rule)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ');
}

/** How the sandbox plays the service. */
export const PLAYING_OPERATIONS = [
  sandboxOperation({
    name: 'faults list',
    isDefault: true,
    summary: 'list the faults and how often they fired (the default)',
    run: async (_given, sandbox) => list(FAULT_VIEW, (await sandbox.call('GET /faults')).faults),
  }),
  // The sandbox decides which of these fields a kind takes.
  sandboxRecord({
    name: 'faults add',
    summary: 'make something go wrong',
    fields: {
      kind: flag('<kind>', 'such as accept-then-drop; packages/sandbox/README.md lists them', text),
      target: flag('--target <target>', 'operation, such as MASS_CREATE, or WEBHOOK', text),
      account: optionalFlag('--account <account>', 'only requests that name this account', text),
      idempotencyKey: optionalFlag('--key <uuid>', 'only requests with this idempotency key', text),
      skip: optionalFlag('--skip <number>', 'leave that many requests alone first', fromZeroUp),
      next: optionalFlag('--next <number>', 'fire at most so often', fromZeroUp),
      probability: optionalFlag(
        '--probability <number>',
        'fire with this chance, from 0 to 1',
        probability,
      ),
      seed: optionalFlag('--seed <number>', 'what the chance is drawn from', fromZeroUp),
      delayMs: optionalFlag('--delay-ms <number>', 'how late, in milliseconds', fromZeroUp),
      timestampAt: optionalFlag(
        '--timestamp-at <moment>',
        'when a late request is checked: arrival or acceptance',
        text,
      ),
      httpStatus: optionalFlag('--status <status>', 'HTTP status of the answer', fromZeroUp),
      page: optionalFlag('--page <page>', 'body of that answer: json, html or empty', text),
      retryAfterS: optionalFlag('--retry-after-s <seconds>', 'its header Retry-After', fromZeroUp),
      location: optionalFlag('--location <url>', 'its header Location', text),
      sizeBytes: optionalFlag(
        '--size-bytes <bytes>',
        'size of an answer that is too large',
        fromZeroUp,
      ),
      copies: optionalFlag('--copies <number>', 'how often each webhook is sent', fromZeroUp),
    },
    endpoint: 'POST /faults',
    schema: 'bursar.sandbox-fault/v1',
    text: ({ id, kind, target }) => printable(`Fault ${id} is there: ${kind} of ${target}.`),
  }),
  sandboxOperation({
    name: 'faults clear',
    summary: 'take faults away',
    fields: { id: optionalFlag('[id]', 'one fault; without it all of them', fromOneUp) },
    run: async (given, sandbox) =>
      list(FAULT_VIEW, (await sandbox.call('DELETE /faults', given)).faults),
  }),
  ...MODE_OPERATIONS,
  clock,
  ...FATE_OPERATIONS,
  ...STATE_OPERATIONS,
  ...CASE_OPERATIONS,
  fixtures,
];
