import type { Operation } from '@bursar/merchant-api/spec';
import { isAccepted } from './expect.ts';
import type { Service } from './service.ts';

/** What a run may do to a service. */
export type Permissions = Readonly<{
  mayMake: boolean;
  /** Payments that may be accepted; 0: no request that could pay leaves at all. */
  paymentsMax: number;
}>;

const MAKING: readonly Operation[] = [
  'WALLET_CREATE',
  'WALLET_RENAME',
  'WEBHOOK_CREATE',
  'WEBHOOK_CHANGE',
  'WEBHOOK_DELETE',
];

/** Whether a run may send requests of an operation, however wrong they are. */
export const isAllowed = (operation: Operation, { mayMake, paymentsMax }: Permissions): boolean =>
  operation === 'MASS_CREATE' ? paymentsMax > 0 : mayMake || !MAKING.includes(operation);

/**
 * Lets nothing through that was not allowed. A request that is to be refused could be accepted by a
 * careless service, so that it counts, too.
 */
export function guard(service: Service, permissions: Permissions): Service {
  let payments = 0;
  return {
    ...service,
    async send(operation, request) {
      if (!isAllowed(operation, permissions)) throw new Error(`${operation} was not allowed`);
      if (operation !== 'MASS_CREATE') return service.send(operation, request);
      if (payments >= permissions.paymentsMax) {
        throw new Error(`${payments} payments were made, and no more are allowed`);
      }
      payments += 1;
      const answer = await service.send(operation, request);
      if (!isAccepted(answer) && answer.status < 500) payments -= 1;
      return answer;
    },
  };
}
