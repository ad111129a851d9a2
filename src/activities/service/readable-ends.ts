import type { ReadTrial } from '@bursar/merchant-api';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { Store } from '../../store/index.ts';
import type { Service } from './service.ts';

export type ReadableEndsDeps = Readonly<{
  store: Store;
  service: Service;
  /** Whether a person has set how MASS_GET names a mass payout. */
  isStated: boolean;
  /** Tries which reads of a mass payout the service understands. Creates nothing. */
  tryReads(): Promise<readonly ReadTrial[]>;
}>;

/**
 * Creates the check that a batch passes before its first create: the service understands a read of a mass payout. Without any
 * read nothing shows how a payment ended. The check costs requests until a lookup of the account has found a mass payout,
 * or until this worker has seen a read understood. It passes where a person has set how MASS_GET is called.
 *
 * The check throws ENDS_UNREADABLE, and SERVICE_UNREACHABLE where a read got no answer.
 */
export function createReadableEndsCheck({
  store,
  service,
  isStated,
  tryReads,
}: ReadableEndsDeps): () => Promise<void> {
  let isUnderstood = isStated;
  return async () => {
    if (isUnderstood) return;
    const { finding } = await store.lookupVerification.trust(service.account, service.lookupName);
    const trials = finding.length > 0 ? [] : await tryReads();
    isUnderstood = finding.length > 0 || trials.some(({ verdict }) => verdict === 'understood');
    if (isUnderstood) return;
    const reads = trials.map(({ operation, name }) => `${operation} by ${name}`).join(', ');
    const unanswered = trials.find(({ hasAnswer }) => !hasAnswer);
    if (unanswered === undefined) throw new BursarError('ENDS_UNREADABLE', { reads });
    const reason = `${unanswered.operation} got no answer`;
    throw new BursarError('SERVICE_UNREACHABLE', { baseUrl: service.baseUrl, reason });
  };
}
