import { type Expression, type RawBuilder, sql } from 'kysely';

/** The larger of two numbers. SQLite and PostgreSQL have different functions for it. */
export const larger = (a: Expression<unknown>, b: Expression<unknown>): RawBuilder<number> =>
  sql<number>`case when ${a} > ${b} then ${a} else ${b} end`;

/** The smaller of two numbers. */
export const smaller = (a: Expression<unknown>, b: Expression<unknown>): RawBuilder<number> =>
  sql<number>`case when ${a} < ${b} then ${a} else ${b} end`;
