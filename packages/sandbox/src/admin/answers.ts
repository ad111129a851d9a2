import { z } from 'zod';
import { AdminCase } from './case.ts';
import { AdminEvents, AdminEventTypes, AdminTriggeredEvent } from './events.ts';
import {
  AdminAccount,
  AdminAccounts,
  AdminLedger,
  AdminMovements,
  AdminTariffs,
  AdminTopUp,
  AdminWallets,
} from './money.ts';
import { AdminMassPayout, AdminMassPayouts, AdminWithdrawals } from './payouts.ts';
import {
  AdminClock,
  AdminFates,
  AdminFault,
  AdminFaultKinds,
  AdminFaults,
  AdminHealth,
  AdminModeRanges,
  AdminModes,
  AdminOperations,
  AdminRequests,
} from './play.ts';
import { AdminReset, AdminSnapshot, AdminSnapshots } from './states.ts';
import {
  AdminDeliveries,
  AdminDelivery,
  AdminNewSubscription,
  AdminSubscription,
  AdminSubscriptions,
} from './webhooks.ts';

/**
 * The answer of each endpoint of the admin API, by method and path below /sandbox.
 * The sandbox, its page and the command line take their types from this table. A new field compiles
 * only when all of them have it.
 */
export const ADMIN_ANSWERS = {
  'GET /health': AdminHealth,
  'GET /clock': AdminClock,
  'PUT /clock': AdminClock,
  'POST /clock/advance': AdminClock,
  'POST /reset': AdminReset,
  'GET /snapshots': AdminSnapshots,
  'POST /snapshots': AdminSnapshot,
  'POST /snapshots/restore': z.object({ id: z.string() }),
  'DELETE /snapshots': AdminSnapshots,
  'GET /modes': AdminModes,
  'PUT /modes': AdminModes,
  'GET /modes/values': AdminModeRanges,
  'GET /operations': AdminOperations,
  'GET /openapi.json': z.looseObject({ openapi: z.string() }),
  'GET /requests': AdminRequests,
  'GET /case': AdminCase,
  'GET /faults': AdminFaults,
  'POST /faults': AdminFault,
  'DELETE /faults': AdminFaults,
  'GET /faults/kinds': AdminFaultKinds,
  'GET /fates': AdminFates,
  'PUT /fates': AdminFates,
  'GET /ledger': AdminLedger,
  'POST /top-up': AdminTopUp,
  'GET /accounts': AdminAccounts,
  'POST /accounts': AdminAccount,
  'GET /tariffs': AdminTariffs,
  'POST /tariffs': AdminTariffs,
  'GET /wallets': AdminWallets,
  'GET /movements': AdminMovements,
  'GET /mass-payouts': AdminMassPayouts,
  'POST /mass-payouts': AdminMassPayout,
  'GET /mass-payouts/withdrawals': AdminWithdrawals,
  'POST /mass-payouts/confirm': AdminMassPayout,
  'POST /mass-payouts/decline': AdminMassPayout,
  'POST /mass-payouts/resend': AdminMassPayout,
  'POST /mass-payouts/end-waiting': AdminMassPayout,
  'GET /webhooks': AdminSubscriptions,
  'POST /webhooks': AdminNewSubscription,
  'DELETE /webhooks': z.object({ id: z.string() }),
  'POST /webhooks/enable': AdminSubscription,
  'POST /webhooks/disable': AdminSubscription,
  'POST /webhooks/unblock': AdminSubscription,
  'GET /deliveries': AdminDeliveries,
  'POST /deliveries/resend': AdminDelivery,
  'GET /events': AdminEvents,
  'GET /events/types': AdminEventTypes,
  'POST /events': AdminTriggeredEvent,
} as const;

type AdminAnswers = { [Endpoint in AdminEndpoint]: z.output<(typeof ADMIN_ANSWERS)[Endpoint]> };

/** Method and path below /sandbox, as in `GET /clock`. */
export type AdminEndpoint = keyof typeof ADMIN_ANSWERS;

export type AdminAnswer<Endpoint extends AdminEndpoint> = AdminAnswers[Endpoint];

/** An endpoint that returns a list page by page. */
export type AdminListEndpoint = {
  [Endpoint in AdminEndpoint]: AdminAnswer<Endpoint> extends { next: number | null }
    ? Endpoint
    : never;
}[AdminEndpoint];
