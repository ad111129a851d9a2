import type { ClaimStage } from '../../domain/funds/claim.ts';
import type { Money } from '../../domain/plan/rules.ts';
import type { ClaimView, ForecastView, FundsView } from '../../operations/batch/funds-view.ts';
import type { AccountFunds } from '../../operations/batch/read-funds.ts';
import type { Context } from '../context.ts';
import { printable } from '../terminal/printable.ts';
import { createTable } from '../terminal/table.ts';
import { dayText, instantText } from '../../operations/text/instants.ts';
import { amountText, currencyText, moneyText } from '../../domain/text/money-text.ts';

/** The claims on an account, and when its balance falls short, for people. */
export function fundsText(view: AccountFunds, style: Context): string {
  return [
    style.colours.bold(printable(`Account ${view.account} (${view.name})`)),
    ...currencyLines(view),
    ...claimLines(view, style),
    '',
    ...forecastLines(view, style),
  ].join('\n');
}

const CURRENCIES = createTable([
  { title: 'CURRENCY', width: 14 },
  { title: 'BALANCE', width: 18, right: true },
  { title: 'IN PAYMENT', width: 18, right: true },
  { title: 'WAITING BATCHES', width: 18, right: true },
  { title: 'AVAILABLE', width: 18, right: true },
]);

function currencyLines({ currencies }: FundsView): string[] {
  // A service lists every currency that it supports.
  const shown = currencies.filter(({ balance, reserved, claimed }) =>
    [balance, reserved, claimed].some((amount) => amount !== '0'),
  );
  if (shown.length === 0) return ['The account is empty, and no batch needs money.'];
  return [
    CURRENCIES.header(),
    ...shown.map(({ currency, balance, reserved, claimed, free }) =>
      CURRENCIES.row([
        printable(currencyText(currency)),
        ...[balance, reserved, claimed, free].map((amount) => amountText(amount, currency)),
      ]),
    ),
  ];
}

const CLAIMS = createTable([
  { title: 'BATCH', width: 32 },
  { title: 'STATE', width: 9 },
  { title: 'NEEDS', width: 28 },
  { title: 'DUE', width: 0 },
]);

function claimLines({ claims }: FundsView, { clock }: Context): string[] {
  if (claims.length === 0) return [];
  return [
    '',
    CLAIMS.header(),
    ...claims.map((claim) =>
      CLAIMS.row([
        claim.batchId,
        STAGES[claim.stage],
        claim.needs.map(needText).join(', '),
        claim.due === null ? 'at once' : instantText(claim.due, clock),
      ]),
    ),
    ...claims.flatMap(lostText),
  ];
}

const STAGES: Readonly<Record<ClaimStage, string>> = {
  GRANTED: 'paying',
  ASKING: 'checking',
  WAITING: 'waiting',
  SCHEDULED: 'scheduled',
  PLANNED: 'planned',
};

const needText = ({ amount, fee, currency }: ClaimView['needs'][number]): string =>
  `${moneyText(amount, currency)}${fee === '0' ? '' : ` and ${amountText(fee, currency)} of fees`}`;

const lostText = ({ batchId, running }: ClaimView): string[] =>
  running === false
    ? [
        `Batch ${batchId} has stopped: Temporal does not run it. Its money stays reserved. To continue it: bursar status ${batchId}`,
      ]
    : [];

function forecastLines({ forecast }: FundsView, style: Context): string[] {
  const lines = forecast.flatMap((step, i) =>
    step.short.length === 0 ? [] : [shortText(step, forecast[i - 1]?.short ?? [], style)],
  );
  return [
    ...(lines.length === 0 ? ['Enough for all open batches.'] : lines),
    ...unknownLines(forecast, style),
  ];
}

/** Schedules that have paid nothing yet, a line each: their runs ahead may be many. */
function unknownLines(forecast: readonly ForecastView[], { clock }: Context): string[] {
  const unknown = forecast.flatMap(({ at, demands }) =>
    demands.filter(({ needs }) => needs === null).map(({ name }) => ({ name, at })),
  );
  return [...new Set(unknown.map(({ name }) => name))].map((name) => {
    const runs = unknown.filter((run) => run.name === name);
    const last = dayText(runs.at(-1)?.at ?? '', clock);
    const when = runs.length === 1 ? `once, ${last}` : `${runs.length} times until ${last}`;
    return `${name} runs ${when}; its amount is unknown`;
  });
}

function shortText(
  step: ForecastView,
  before: readonly Money[],
  { clock, colours }: Context,
): string {
  const texts = step.short.map((line) => {
    const isOld = before.some(
      ({ currency, amount }) => currency === line.currency && amount === line.amount,
    );
    const details = [...(isOld ? [] : [namesText(step, line)]), ...keptTexts(step, line)];
    const more = details.length === 0 ? '' : ` (${details.join('; ')})`;
    return `${moneyText(line.amount, line.currency)} ${isOld ? 'still short' : 'short'}${more}`;
  });
  return colours.red(`${dayText(step.at, clock)}: ${texts.join(', ')}`);
}

/** The names of the batches and runs that are due and lack money. */
function namesText({ demands, estimated }: ForecastView, { currency }: Money): string {
  const wanting = demands.filter(({ needs }) => needs?.some((need) => need.currency === currency));
  const about = estimated ? ', estimated from earlier runs' : '';
  return `${wanting.map(({ name }) => name).join(', ')}${about}`;
}

/** Whose money is missing beside that of those who are due. */
function keptTexts({ kept }: ForecastView, { currency }: Money): string[] {
  const missing = kept.filter((one) => one.currency === currency);
  if (missing.length === 0) return [];
  const texts = missing.map((one) => `${moneyText(one.amount, one.currency)} for ${one.name}`);
  return [`reserved for earlier batches: ${texts.join(', ')}`];
}
