/** The total of a file or a batch in one currency; canonical decimal text. */
export type CurrencyTotal = Readonly<{ currency: string; total: string }>;
