import { z } from 'zod';
import { formatDecimal } from './core/decimal.ts';
import type { Tariff } from './core/tariff.ts';
import { NotNegativeDecimal } from './settings-values.ts';
import type { Overrides } from './store/overrides.ts';

/** The tariffs by currency. A mass payout keeps the tariff of its creation. */
export type Tariffs = Readonly<{
  of(currency: string): Tariff;
  /** The currencies with a tariff of their own. */
  list(): readonly (readonly [currency: string, tariff: Tariff])[];
  /** With null the settings decide for this currency again. */
  change(currency: string, tariff: Tariff | null): void;
}>;

const OVERRIDE = 'tariffs';

/** A tariff as decimal text. A part that is left out is 0. */
export const TariffInput = z.strictObject({
  percent: NotNegativeDecimal.prefault('0'),
  fix: NotNegativeDecimal.prefault('0'),
  min: NotNegativeDecimal.prefault('0'),
});

export const tariffRecord = ({ percent, fix, min }: Tariff): Record<keyof Tariff, string> => ({
  percent: formatDecimal(percent),
  fix: formatDecimal(fix),
  min: formatDecimal(min),
});

const Stored = z.array(z.tuple([z.string(), TariffInput]));

export function createTariffs(setting: Tariff, overrides: Overrides): Tariffs {
  let changed = new Map<string, Tariff>(Stored.parse(overrides.read(OVERRIDE) ?? []));
  return {
    of: (currency) => changed.get(currency) ?? setting,
    list: () => [...changed],
    change(currency, tariff) {
      const next = new Map(changed);
      if (tariff === null) next.delete(currency);
      else next.set(currency, tariff);
      const records = [...next].map(([name, each]) => [name, tariffRecord(each)]);
      overrides.write(OVERRIDE, records);
      changed = next;
    },
  };
}
