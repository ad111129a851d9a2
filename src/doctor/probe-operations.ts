import { randomUUID } from 'node:crypto';
import { isPathUnknown } from '../domain/errors/from-service.ts';
import { type FeeItem, MerchantApiError } from '@bursar/merchant-api';
import { type Operation, OPERATIONS } from '@bursar/merchant-api/spec';
import type { ServiceAccess } from '../operations/context.ts';

type Api = ServiceAccess['api'];

/** Reads that change nothing, with any answer of the service: one for each operation that can be tried so. */
const PROBES: Readonly<Partial<Record<Operation, (api: Api) => Promise<unknown>>>> = {
  MASS_GET: (api) =>
    api.readMassPayout(
      api.takesReference('MASS_GET', 'idempotencyKey')
        ? { idempotencyKey: randomUUID() }
        : { id: randomUUID() },
    ),
  LOOKUP: (api) => api.lookup({ idempotencyKey: randomUUID() }),
  FEE_CALCULATION: (api) => api.calculateFees({ items: [FEE_ITEM] }),
  WEBHOOK_LIST: (api) => api.listWebhookSubscriptions(),
  WALLET_LIST: (api) => api.listWallets(),
  TRANSACTION_LIST: (api) => api.listTransactions(),
  OPCODES: (api) => api.listOperationCodes(),
  USER: (api) => api.readUser(),
};

const FEE_ITEM: FeeItem = {
  baseAmount: '1',
  currency: 'USDT_TRC20',
  opType: 'WITHDRAWAL',
  feeType: 'SERVICE',
};

export type Probed = Readonly<{
  served: readonly Operation[];
  /** Nothing is served at their paths. */
  absent: readonly Operation[];
  /** The service has them, but not for this key. */
  refused: readonly Operation[];
  /** No answer, or one that could not be read. */
  unclear: readonly Operation[];
  /** Their paths are set to nothing. */
  off: readonly Operation[];
}>;

type Kind = Exclude<keyof Probed, 'off'>;

/** Tries which operations the service serves, by reads alone. */
export async function probeOperations({ api }: ServiceAccess): Promise<Probed> {
  const kinds = new Map<Operation, Kind>();
  for (const [operation, probe] of Object.entries(PROBES) as [
    Operation,
    (api: Api) => Promise<unknown>,
  ][]) {
    if (api.hasOperation(operation)) kinds.set(operation, await kindOf(() => probe(api)));
  }
  const of = (kind: Kind): Operation[] =>
    [...kinds].filter(([, found]) => found === kind).map(([operation]) => operation);
  return {
    served: of('served'),
    absent: of('absent'),
    refused: of('refused'),
    unclear: of('unclear'),
    off: OPERATIONS.filter((operation) => !api.hasOperation(operation)),
  };
}

/** Statuses of a key without the right to an operation. */
const FORBIDDEN: readonly number[] = [401, 403];

async function kindOf(probe: () => Promise<unknown>): Promise<Kind> {
  try {
    await probe();
    return 'served';
  } catch (error) {
    if (!(error instanceof MerchantApiError)) throw error;
    if (error.kind !== 'refused') return 'unclear';
    if (isPathUnknown(error)) return 'absent';
    // An answer about a missing object, or a wrong field, shows that the operation is served.
    return FORBIDDEN.includes(error.httpStatus ?? 0) ? 'refused' : 'served';
  }
}
