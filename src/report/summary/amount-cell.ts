import type { Money } from '../../domain/plan/rules.ts';
import { decimalText } from '../../domain/text/money-text.ts';
import { type Html, html } from './html.ts';

const decimalsOf = (of: Money): number => fractionOf(decimalText(of.amount, of.currency)).length;

/** Returns the highest number of decimals of the amounts, to align a column at the point. */
export const decimalsOfColumn = (amounts: readonly Money[]): number =>
  Math.max(0, ...amounts.map(decimalsOf));

/** Shows an amount, or one below zero, with commas between thousands. The commas are style, so a copy is the exact amount. */
export function amountCell({ amount, currency }: Money): Html {
  const text = decimalText(amount, currency);
  const sign = text.startsWith('-') ? '-' : '';
  const [whole = ''] = text.slice(sign.length).split('.');
  const fraction = fractionOf(text);
  const point = fraction === '' ? '' : '.';
  const zero = amount === '0' ? ' zero' : '';
  return html`<span class="num${zero}">${sign}${thousandsOf(whole)}${point}${fraction}</span>`;
}

/** Shows an amount in a right-aligned column. Faint zeros put all points in one line. */
export function columnAmount(of: Money, decimals: number): Html {
  const missing = decimals - decimalsOf(of);
  if (missing <= 0) return amountCell(of);
  const padding = `${decimalsOf(of) === 0 ? '.' : ''}${'0'.repeat(missing)}`;
  return html`${amountCell(of)}<span class="pad" aria-hidden="true">${padding}</span>`;
}

const fractionOf = (amount: string): string => amount.split('.')[1] ?? '';

function thousandsOf(whole: string): Html[] {
  const first = whole.length % 3 || 3;
  const groups = [whole.slice(0, first)];
  for (let i = first; i < whole.length; i += 3) groups.push(whole.slice(i, i + 3));
  return groups.map((group, i) =>
    i === 0 ? html`${group}` : html`<span class="th">${group}</span>`,
  );
}
