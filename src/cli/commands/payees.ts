import { EXIT } from '../../domain/errors/exit-codes.ts';
import { csvLine, spreadsheetSafe } from '../../domain/files/csv.ts';
import type { PayeeDecision } from '../../domain/payees/payee.ts';
import {
  payeeEmailFault,
  payeeLabelsFault,
  payeeNameFault,
  readPayeeLabels,
} from '../../domain/payees/payee-texts.ts';
import { counted } from '../../domain/text/counted.ts';
import { withSources, withSourcesToRead } from '../../operations/batch/sources.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { readReason } from '../../operations/input/reason.ts';
import {
  decidePayee,
  describePayee,
  importPayees,
  type PayeeDescription,
} from '../../operations/payees/change-payees.ts';
import type { NamedPayee } from '../../operations/payees/find-payee.ts';
import type { PayeeView } from '../../operations/payees/payee-view.ts';
import { listPayees, showPayee } from '../../operations/payees/read-register.ts';
import type { Context } from '../context.ts';
import { printList, printResult } from '../print/output.ts';
import { payeeListText, payeeText } from '../print/payee-text.ts';

type DecisionFlags = NamedPayee & Readonly<{ reason: string }>;

/** `bursar payees list`: the payees of the register. */
export const listAllPayees = (
  { search = '' }: Readonly<{ search?: string }>,
  context: Context,
): Promise<number> =>
  withSourcesToRead(context, async (sources) => {
    const output = {
      schema: 'bursar.payee-list/v1',
      about: {},
      array: 'payees',
      lineSchema: 'bursar.payee-line/v1',
      ...payeeListText(),
    };
    const count = await printList(context, listPayees(sources, search), output);
    if (count === 0 && context.format === 'text') context.say('There are no such payees.');
    return EXIT.done;
  });

/** `bursar payees show ADDRESS`: a payee, and its first and last payment. */
export const showOnePayee = (flags: NamedPayee, context: Context): Promise<number> =>
  withSourcesToRead(context, async (sources) => {
    const found = await showPayee(sources, flags);
    const json = { schema: 'bursar.payee/v1', ...found };
    printResult(context, { json, text: payeeText(found, context.clock) });
    return EXIT.done;
  });

/** `bursar payees import FILE`: adds payees, names and labels. */
export const importPayeeFile = (
  { file }: Readonly<{ file: string }>,
  context: Context,
): Promise<number> =>
  withSources(context, async (sources) => {
    const done = await importPayees(sources, file, context);
    const { rows, changed, stillDenied } = done;
    const kept =
      stillDenied === 0
        ? ''
        : `\n${counted(stillDenied, 'payee')} stay denied: only "bursar payees allow" lifts a denial.`;
    printResult(context, {
      json: { schema: 'bursar.payee-import/v1', ...done },
      text: `${counted(rows, 'payee')} read, ${changed} added or changed.${kept}`,
    });
    return EXIT.done;
  });

const EXPORT_COLUMNS = [
  ...['address', 'network', 'name', 'labels', 'status', 'reason', 'decided_by', 'decided_at'],
  'email',
];

/** `bursar payees export`: the register as CSV, whatever the format of output is. */
export const exportPayees = (_flags: object, context: Context): Promise<number> =>
  withSourcesToRead(context, async (sources) => {
    context.print(csvLine(EXPORT_COLUMNS));
    for await (const payee of listPayees(sources, '')) context.print(exportLine(payee));
    return EXIT.done;
  });

/** No cell of an export is a formula, whatever a person wrote as a reason. */
function exportLine(payee: PayeeView): string {
  const { address, network, name, labels, status, reason, decidedBy, decidedAt, email } = payee;
  const decided = [status, reason, decidedBy, decidedAt];
  const texts = [address, network, name, labels.join(' '), ...decided, email];
  return csvLine(texts.map((text) => spreadsheetSafe(text ?? '')));
}

/** `bursar payees allow ADDRESS`: adds a payee, or lifts a denial. */
export const allowPayee = (flags: DecisionFlags, context: Context): Promise<number> =>
  decide('ALLOWED', flags, context);

/** `bursar payees deny ADDRESS`: no later plan may pay it. */
export const denyPayee = (flags: DecisionFlags, context: Context): Promise<number> =>
  decide('DENIED', flags, context);

async function decide(
  kind: PayeeDecision,
  { reason: text, ...named }: DecisionFlags,
  context: Context,
): Promise<number> {
  const reason = readReason(text);
  return withSources(context, async (sources) => {
    printPayee(await decidePayee(sources, { ...named, kind, reason }, context), context);
    if (kind === 'DENIED') {
      context.say('Plans that were made before are not changed: bursar list shows open batches.');
    }
    return EXIT.done;
  });
}

/** `bursar payees name ADDRESS NAME`. */
export async function namePayee(
  { name: text, ...named }: NamedPayee & Readonly<{ name: string }>,
  context: Context,
): Promise<number> {
  const name = text.trim();
  const fault = payeeNameFault(name);
  if (fault !== null) throw flagInvalid('NAME', fault);
  return describe({ ...named, name }, context);
}

/** `bursar payees email ADDRESS EMAIL`. */
export async function emailPayee(
  { email: text, ...named }: NamedPayee & Readonly<{ email: string }>,
  context: Context,
): Promise<number> {
  const email = text.trim();
  const fault = payeeEmailFault(email);
  if (fault !== null) throw flagInvalid('EMAIL', fault);
  return describe({ ...named, email }, context);
}

/** `bursar payees label ADDRESS LABEL...`. */
export async function labelPayee(
  { labels: words = [], ...named }: NamedPayee & Readonly<{ labels?: readonly string[] }>,
  context: Context,
): Promise<number> {
  const labels = readPayeeLabels(words.join(' '));
  const fault = payeeLabelsFault(labels);
  if (fault !== null) throw flagInvalid('LABELS', `a label ${fault}`);
  return describe({ ...named, labels }, context);
}

const describe = (asked: NamedPayee & PayeeDescription, context: Context): Promise<number> =>
  withSources(context, async (sources) => {
    printPayee(await describePayee(sources, asked, context), context);
    return EXIT.done;
  });

const printPayee = (payee: PayeeView, context: Context): void =>
  printResult(context, {
    json: { schema: 'bursar.payee/v1', ...payee },
    text: payeeText(payee, context.clock),
  });
