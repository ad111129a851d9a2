import { LOG_TABLES } from './tables/log.ts';
import { MONEY_TABLES } from './tables/money.ts';
import { PAYOUT_TABLES } from './tables/payouts.ts';
import { WALLET_TABLES } from './tables/wallets.ts';
import { WEBHOOK_TABLES } from './tables/webhooks.ts';

/** The version of the tables, in `user_version`. A file of another version is refused. */
export const SCHEMA_VERSION = 4;

/** Amounts are decimal text. Times are milliseconds since 1970. */
export const SCHEMA = `
${MONEY_TABLES}
${PAYOUT_TABLES}
${WALLET_TABLES}
${WEBHOOK_TABLES}
${LOG_TABLES}
PRAGMA user_version = ${SCHEMA_VERSION};
`;
