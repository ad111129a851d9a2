import { type Html, html } from './html.ts';

const decimalsOf = (amount: string): number => fractionOf(amount).length;

/**
 * The most decimals that any of the amounts has: what a column needs so that points stand below
 * each other.
 */
export const decimalsOfColumn = (amounts: readonly string[]): number =>
  Math.max(0, ...amounts.map(decimalsOf));

/**
 * An amount with gaps between thousands. The gaps are looks alone: what is read or copied is the
 * exact amount.
 */
export function amountText(amount: string): Html {
  const [whole = ''] = amount.split('.');
  const fraction = fractionOf(amount);
  const point = fraction === '' ? '' : '.';
  const zero = amount === '0' ? ' zero' : '';
  return html`<span class="num${zero}">${thousandsOf(whole)}${point}${fraction}</span>`;
}

/**
 * The same for a column of right-aligned amounts: faint zeros put all points below each other.
 */
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
