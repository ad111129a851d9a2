/** A request and its answer. The numbers in the answer are examples. */
export type Example = Readonly<{ summary: string; request: object; answer: object }>;

/** The time of the examples: 2026-11-20T12:00:00Z. */
export const EXAMPLE_MS = 1_795_176_000_000;

export const EXAMPLE_ACCOUNT = '0x5a4db0c500000000000000000000000000000001';

/** Spec: "Request envelope". */
export const ENVELOPE = { timestamp: EXAMPLE_MS, account: EXAMPLE_ACCOUNT };

export const CURRENCY = 'USDT_TRC20';

/** An address whose withdrawals are paid. */
export const PAID_ADDRESS = 'TWGd9ia8Q5mkXwLfvGK2YWHkMu2FPmt1DK';

/** The hash of the paid withdrawal of the examples. */
export const PAID_HASH = 'decc40fd7c58d8b8f31b8ac1971d493060fea6adcaa1912e7263cd2fffac26b8';
