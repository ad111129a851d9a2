import { isSameCurrency } from '../currencies/same-currency.ts';
import type { Finding } from './finding.ts';
import type { HouseRules, Money } from './rules.ts';

/** A currency as it was written, and where. */
export type NamedCurrency = Readonly<{ currency: string; where: string }>;

/** Every currency that the rules of a batch name. */
export const currenciesOfRules = (
  { approval, fees, limits, payees }: HouseRules,
  stopLoss: readonly string[],
): NamedCurrency[] => [
  ...Object.entries(limits).flatMap(([name, lines]) => named(lines, `limits.${name}`)),
  ...named(fees.totalMax, 'fees.total_max'),
  ...named(payees?.knownAbove ?? [], 'payees.known_above'),
  ...(approval?.tiers ?? []).flatMap(({ currency }) =>
    currency === null ? [] : [{ currency, where: 'the approval policy' }],
  ),
  ...stopLoss.flatMap((rule) => {
    const currency = rule.split(':')[1];
    return currency === undefined ? [] : [{ currency, where: 'the stop loss' }];
  }),
];

const named = (lines: readonly Money[], where: string): NamedCurrency[] =>
  lines.map(({ currency }) => ({ currency, where }));

/**
 * Currencies of a file that are the same money as another one of the file or a rule, and are written otherwise: a rule
 * would not count for them, and sums would be too low.
 */
export function otherNames(
  currencies: readonly Readonly<{ currency: string; rows: number }>[],
  rules: readonly NamedCurrency[],
): Finding[] {
  const inFile = currencies.map(({ currency }) => ({ currency, where: 'the file' }));
  const found = currencies.flatMap(({ currency, rows }) => {
    const other = [...rules, ...inFile].find(
      (one) => one.currency !== currency && isSameCurrency(one.currency, currency),
    );
    if (other === undefined) return [];
    const detail = `${currency} is ${other.currency}, as ${other.where} names it`;
    return [{ rows, example: { row: 0, detail } }];
  });
  if (found.length === 0) return [];
  const count = found.reduce((sum, { rows }) => sum + rows, 0);
  return [{ code: 'CURRENCY_NAMED_TWICE', count, examples: found.map(({ example }) => example) }];
}
