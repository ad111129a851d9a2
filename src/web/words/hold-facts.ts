import type { Texts } from '../texts/en.ts';

/**
 * The facts of a hold for a person: `lost:TRX` is named `Not paid (TRX)`. Facts without a name here are for programs; the
 * reason of the hold has them in words.
 */
export const holdFacts = (
  facts: Readonly<Record<string, string>>,
  t: Texts,
): readonly (readonly [name: string, value: string])[] =>
  Object.entries(facts).flatMap(([key, value]) => {
    const [name = '', ...currency] = key.split(':');
    const known: Readonly<Record<string, string>> = t.holds.facts;
    const words = Object.hasOwn(known, name) ? known[name] : undefined;
    if (words === undefined) return [];
    return [[currency.length === 0 ? words : `${words} (${currency.join(':')})`, value] as const];
  });
