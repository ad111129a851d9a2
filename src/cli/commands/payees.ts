import { basename, resolve } from 'node:path';
import {
  decidePayee,
  emailPayee as emailOperation,
  importPayees,
  labelPayee as labelOperation,
  listPayees,
  namePayee as nameOperation,
  showPayee,
} from '../../app/payees/payees.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { csvLine } from '../../domain/files/csv.ts';
import { EXPORT_COLUMNS, exportLine } from '../../domain/payees/export-line.ts';
import type { PayeeDecision } from '../../domain/payees/payee.ts';
import { counted } from '../../domain/text/counted.ts';
import { withSources } from '../../operations/batch/sources.ts';
import { readReason } from '../../operations/input/reason.ts';
import * as changing from '../../operations/payees/change-payees.ts';
import type { NamedPayee } from '../../operations/payees/find-payee.ts';
import type { PayeeView } from '../../operations/payees/payee-view.ts';
import type { Context } from '../context.ts';
import { perform, performList } from '../perform.ts';
import { printList, printResult } from '../print/output.ts';
import { payeeListText, payeeText } from '../print/payee-text.ts';

type DecisionFlags = NamedPayee & Readonly<{ reason: string }>;

/** `bursar payees list`: the payees of the register. */
export const listAllPayees = (
  flags: Readonly<{ search?: string }>,
  context: Context,
): Promise<number> =>
  performList(listPayees, flags, {
    context,
    async use({ about, items }) {
      const output = { ...listPayees.names, about, ...payeeListText() };
      const count = await printList(context, items, output);
      if (count === 0 && context.format === 'text') context.say('There are no such payees.');
      return EXIT.done;
    },
  });

/** `bursar payees show ADDRESS`: a payee, and its first and last payment. */
export async function showOnePayee(flags: NamedPayee, context: Context): Promise<number> {
  const json = await perform(showPayee, flags, context);
  printResult(context, { json, text: payeeText(json, context.clock) });
  return EXIT.done;
}

/** `bursar payees import FILE`: adds payees, names and labels. */
export async function importPayeeFile(
  { file }: Readonly<{ file: string }>,
  context: Context,
): Promise<number> {
  const done = await importFile(file, context);
  const { rows, changed, stillDenied } = done;
  const kept =
    stillDenied === 0
      ? ''
      : `\n${counted(stillDenied, 'payee')} stay denied: only "bursar payees allow" lifts a denial.`;
  printResult(context, {
    json: { schema: 'bursar.payee-import/v1', rows, changed, stillDenied },
    text: `${counted(rows, 'payee')} read, ${changed} added or changed.${kept}`,
  });
  return EXIT.done;
}

/** At a server the file is copied there. Here it is read where it is. */
async function importFile(file: string, context: Context): Promise<changing.PayeeImport> {
  const { server, cwd } = context;
  const path = resolve(cwd, file);
  if (server === undefined) {
    const { importPayees: importHere } = changing;
    return withSources(context, (sources) => importHere(sources, { name: file, path }, context));
  }
  const { uploadThere } = await import('../remote.ts');
  const source = { fileName: basename(file), shownName: file, path, followLinks: true };
  const { sha256, name } = await uploadThere(source, { context, server });
  return perform(importPayees, { file: { sha256, name } }, context);
}

/** `bursar payees export`: the register as CSV, whatever the format of output is. */
export const exportPayees = (_flags: object, context: Context): Promise<number> =>
  performList(
    listPayees,
    {},
    {
      context,
      async use({ items }) {
        context.print(csvLine(EXPORT_COLUMNS));
        for await (const payee of items) context.print(exportLine(payee));
        return EXIT.done;
      },
    },
  );

/** `bursar payees allow ADDRESS`: adds a payee, or lifts a denial. */
export const allowPayee = (flags: DecisionFlags, context: Context): Promise<number> =>
  decide('ALLOWED', flags, context);

/** `bursar payees deny ADDRESS`: no later plan may pay it. */
export const denyPayee = (flags: DecisionFlags, context: Context): Promise<number> =>
  decide('DENIED', flags, context);

async function decide(
  decision: PayeeDecision,
  { reason: text, ...named }: DecisionFlags,
  context: Context,
): Promise<number> {
  const reason = readReason(text);
  printPayee(await perform(decidePayee, { ...named, decision, reason }, context), context);
  if (decision === 'DENIED') {
    context.say('Earlier plans are not changed. bursar list shows open batches.');
  }
  return EXIT.done;
}

/** `bursar payees name ADDRESS NAME`. */
export async function namePayee(
  { name: text, ...named }: NamedPayee & Readonly<{ name: string }>,
  context: Context,
): Promise<number> {
  const name = text.trim();
  printPayee(await perform(nameOperation, { ...named, name }, context), context);
  return EXIT.done;
}

/** `bursar payees email ADDRESS EMAIL`. */
export async function emailPayee(
  { email: text, ...named }: NamedPayee & Readonly<{ email: string }>,
  context: Context,
): Promise<number> {
  const email = text.trim();
  printPayee(await perform(emailOperation, { ...named, email }, context), context);
  return EXIT.done;
}

/** `bursar payees label ADDRESS LABEL...`. */
export async function labelPayee(
  { labels = [], ...named }: NamedPayee & Readonly<{ labels?: readonly string[] }>,
  context: Context,
): Promise<number> {
  printPayee(await perform(labelOperation, { ...named, labels: [...labels] }, context), context);
  return EXIT.done;
}

const printPayee = (json: PayeeView & Readonly<{ schema: string }>, context: Context): void =>
  printResult(context, { json, text: payeeText(json, context.clock) });
