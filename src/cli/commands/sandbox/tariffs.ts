import { EXIT } from '../../../domain/errors/exit-codes.ts';
import type { Context } from '../../context.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { PLAIN_DECIMAL } from '../../sandbox/acts.ts';
import type { SandboxFlags } from '../../sandbox/address.ts';
import { type Tariff, Tariffs } from '../../sandbox/money-records.ts';
import { printable } from '../../terminal/printable.ts';
import { createTable } from '../../terminal/table.ts';
import { openSandbox, printAll } from './open.ts';

const PATH = '/tariffs';

/** `bursar sandbox tariffs list`: the currencies that have a tariff of their own. */
export async function tariffs(flags: SandboxFlags, context: Context): Promise<number> {
  const sandbox = await openSandbox(flags, context);
  return print(await sandbox.ask({ path: PATH, answer: Tariffs }), context);
}

export type SetTariffFlags = SandboxFlags &
  Readonly<{ currency: string; percent?: string; fix?: string; min?: string }>;

/** `bursar sandbox tariffs set CURRENCY`: what the service takes in one currency; parts that are left out are 0. */
export async function setTariff(
  { currency, percent, fix, min, ...flags }: SetTariffFlags,
  context: Context,
): Promise<number> {
  if ((percent ?? fix ?? min) === undefined) {
    throw flagInvalid('tariff', 'give at least one of --percent, --fix, --min');
  }
  const tariff = {
    percent: readDecimal('--percent', percent),
    fix: readDecimal('--fix', fix),
    min: readDecimal('--min', min),
  };
  return change({ currency, tariff }, flags, context);
}

export type ResetTariffFlags = SandboxFlags & Readonly<{ currency: string }>;

/** `bursar sandbox tariffs reset CURRENCY`: gives a currency back to the settings. */
export const resetTariff = (
  { currency, ...flags }: ResetTariffFlags,
  context: Context,
): Promise<number> => change({ currency, tariff: null }, flags, context);

async function change(body: object, flags: SandboxFlags, context: Context): Promise<number> {
  const sandbox = await openSandbox(flags, context);
  return print(await sandbox.ask({ method: 'POST', path: PATH, body, answer: Tariffs }), context);
}

function readDecimal(flag: string, text: string | undefined): string | undefined {
  if (text === undefined || PLAIN_DECIMAL.test(text)) return text;
  throw flagInvalid(flag, `"${text}" is not a plain decimal such as 0.5`);
}

async function print({ tariffs: found }: Tariffs, context: Context): Promise<number> {
  await printAll(context, found, output());
  return EXIT.done;
}

function output() {
  const table = createTable([
    { title: 'CURRENCY', width: 12 },
    { title: 'PERCENT', width: 12, right: true },
    { title: 'FIX', width: 12, right: true },
    { title: 'MIN', width: 12, right: true },
  ]);
  return {
    schema: 'bursar.sandbox-tariffs/v1',
    name: 'tariffs',
    lineSchema: 'bursar.sandbox-tariff/v1',
    header: table.header(),
    textOf: ({ currency, percent, fix, min }: Tariff) =>
      table.row([currency, percent, fix, min].map(printable)),
  };
}
