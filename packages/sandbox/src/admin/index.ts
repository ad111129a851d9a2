/** The records of the sandbox's admin API, below /sandbox. Amounts are decimal text, dates are ISO 8601 in UTC. */
export * from './answers.ts';
export * from './case.ts';
export * from './events.ts';
export * from './money.ts';
export * from './payouts.ts';
export * from './play.ts';
export * from './states.ts';
export * from './webhooks.ts';
