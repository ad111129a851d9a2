import type { Operation } from '@bursar/merchant-api/spec';
import { isAccepted } from './expect.ts';
import type { TestedService } from './service.ts';

/** The effects on a service that the options allow. */
export type Permissions = Readonly<{
  mayMake: boolean;
  /**
   * The most payments that the service may accept. With 0 no request that could pay is sent at all.
   */
  paymentsMax: number;
}>;

/** Payments that may have been made. */
export type PaymentCount = { payments: number };

const MAKING: readonly Operation[] = [
  'WALLET_CREATE',
  'WALLET_RENAME',
  'WEBHOOK_CREATE',
  'WEBHOOK_CHANGE',
  'WEBHOOK_DELETE',
];

/** The options allow no further payment. */
export class NoMorePayments extends Error {
  constructor(payments: number) {
    super(`${payments} payments were made, and no more are allowed (see --payments-max)`);
    this.name = 'NoMorePayments';
  }
}

/** Whether a run may send requests of an operation, valid or not. */
export const isAllowed = (operation: Operation, { mayMake, paymentsMax }: Permissions): boolean =>
  operation === 'MASS_CREATE' ? paymentsMax > 0 : mayMake || !MAKING.includes(operation);

/**
 * Blocks every request that the options do not allow. A service with a defect could accept a
 * request that it must refuse, so such requests count, too. Guards with one count share the limit.
 */
export function guard(
  service: TestedService,
  permissions: Permissions,
  paid: PaymentCount = { payments: 0 },
): TestedService {
  return {
    ...service,
    async send(operation, request) {
      if (!isAllowed(operation, permissions)) throw new Error(`${operation} was not allowed`);
      if (operation !== 'MASS_CREATE') return service.send(operation, request);
      if (paid.payments >= permissions.paymentsMax) throw new NoMorePayments(paid.payments);
      paid.payments += 1;
      const answer = await service.send(operation, request);
      if (!isAccepted(answer) && answer.status < 500) paid.payments -= 1;
      return answer;
    },
  };
}
