import { type Html, html } from './html.ts';

const decimalsOf = (amount: string): number => fractionOf(amount).length;

/** Returns the highest number of decimals of the amounts, to align a column at the point. */
export const decimalsOfColumn = (amounts: readonly string[]): number =>
  Math.max(0, ...amounts.map(decimalsOf));

/** Shows an amount, or one below zero, with gaps between thousands. The gaps are style, so a copy is the exact amount. */
export function amountText(amount: string): Html {
  const sign = amount.startsWith('-') ? '-' : '';
  const [whole = ''] = amount.slice(sign.length).split('.');
  const fraction = fractionOf(amount);
  const point = fraction === '' ? '' : '.';
  const zero = amount === '0' ? ' zero' : '';
  return html`<span class="num${zero}">${sign}${thousandsOf(whole)}${point}${fraction}</span>`;
}

/** Shows an amount in a right-aligned column. Faint zeros put all points in one line. */
export function columnAmount(amount: string, decimals: number): Html {
  const missing = decimals - decimalsOf(amount);
  if (missing <= 0) return amountText(amount);
  const padding = `${decimalsOf(amount) === 0 ? '.' : ''}${'0'.repeat(missing)}`;
  return html`${amountText(amount)}<span class="pad" aria-hidden="true">${padding}</span>`;
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
