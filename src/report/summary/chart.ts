import { formatAmount, isPositive } from '../../domain/money/amount.ts';
import { currencyText, moneyText } from '../../domain/text/money-text.ts';
import { parseSignedAmount } from '../../domain/money/signed-amount.ts';
import type { CurrencyAmounts } from '../../domain/report/totals.ts';
import { OUTCOME_FIELDS, type OutcomeField } from '../outcome-fields.ts';
import { type Html, html, trusted } from './html.ts';

/** Width of a whole bar in hundredths of a percent, so that all arithmetic is in whole numbers. */
const BAR_WIDTH = 10_000n;
/** Smallest width of a slice, so that one lost cent is visible. */
const SLICE_WIDTH_MIN = 150n;

/** `amount`: as people read it. */
type Slice = Readonly<{ field: OutcomeField; label: string; amount: string; width: bigint }>;

const STRIPES = '<path class="c-over" d="M0 8L8 0M-2 2L2 -2M6 10L10 6"/>';
const LINES = '<path class="c-over" d="M0 2H8M0 6H8"/>';
const DOTS = '<path class="c-over dots" d="M2 2h0M6 6h0"/>';

/** Patterns of the outcomes, for readers and printers without colors. All bars use them. */
export const CHART_PATTERNS: Html = html`
<svg class="patterns" width="0" height="0" aria-hidden="true"><defs>
${pattern('paid', '')}
${pattern('failed', STRIPES)}
${pattern('notSent', '')}
${pattern('unknown', DOTS)}
${pattern('inFlight', LINES)}
</defs></svg>
`;

function pattern(field: OutcomeField, over: string): Html {
  const size = trusted('width="8" height="8"');
  return html`<pattern id="p-${field}" ${size} patternUnits="userSpaceOnUse">
<rect class="c-${field}" ${size}/>${trusted(over)}</pattern>`;
}

/** The bar of one currency: the requested amount, split by outcome. */
export function currencyBar(line: CurrencyAmounts, index: number): Html {
  const { currency } = line;
  const slices = slicesOf(line);
  const id = `bar-${index}`;
  return html`<figure class="bar">
<figcaption><strong>${currencyText(currency)}</strong>
<span>requested ${moneyText(line.requested, currency)}</span></figcaption>
<svg width="100%" height="30" role="img" aria-labelledby="${id} ${id}-desc">
<title id="${id}">Where ${moneyText(line.requested, currency)} went</title>
<desc id="${id}-desc">${describe(slices)} The ledger below holds the same amounts.</desc>
${rectanglesOf(slices)}</svg>
<ul class="legend">
${slices.map(legendItem)}</ul>
</figure>
`;
}

const legendItem = ({ field, label, amount }: Slice): Html => html`<li>
<svg width="14" height="14" aria-hidden="true">
<rect width="14" height="14" rx="3" fill="url(#p-${field})"/></svg>
${label} <b>${amount}</b></li>
`;

const describe = (slices: readonly Slice[]): string =>
  `${slices.map(({ label, amount }) => `${label}: ${amount}`).join(', ')}.`;

function rectanglesOf(slices: readonly Slice[]): Html[] {
  let from = 0n;
  return slices.map(({ field, width }) => {
    const x = from;
    from += width;
    const position = html`x="${percent(x)}" width="${percent(width)}" height="100%"`;
    return html`<rect class="slice" ${position} fill="url(#p-${field})"/>
`;
  });
}

const percent = (hundredths: bigint): string => `${formatAmount({ units: hundredths, scale: 2 })}%`;

/**
 * Returns one slice for each outcome with an amount, in proportion.
 * Very thin slices get the smallest width, and the widest slice becomes narrower instead.
 */
export function slicesOf(line: CurrencyAmounts): Slice[] {
  const shown = OUTCOME_FIELDS.filter(({ field }) => isPositive(parseSignedAmount(line[field])));
  const slices = shown.map(({ field, label }) => {
    const width = shareOf(line[field], line.requested);
    return {
      field,
      label,
      amount: moneyText(line[field], line.currency),
      width: max(width, SLICE_WIDTH_MIN),
    };
  });
  const used = slices.reduce((sum, { width }) => sum + width, 0n);
  const widest = slices.reduce((width, slice) => max(width, slice.width), 0n);
  const index = slices.findIndex(({ width }) => width === widest);
  return slices.map((slice, i) =>
    i === index ? { ...slice, width: slice.width + BAR_WIDTH - used } : slice,
  );
}

/** Returns the width of an amount in the bar of the whole, rounded down. */
function shareOf(amount: string, whole: string): bigint {
  const [part, total] = [parseSignedAmount(amount), parseSignedAmount(whole)];
  const scaled = part.units * 10n ** BigInt(total.scale);
  return (BAR_WIDTH * scaled) / (total.units * 10n ** BigInt(part.scale));
}

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);
