import type { KnownPayout, ReadTrial } from '@bursar/merchant-api';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { REFUSED_MS_MAX } from '../../domain/settling/payout-times.ts';
import type { Store } from '../../store/index.ts';
import type { Service } from './service.ts';

export type ReadableEndsDeps = Readonly<{
  store: Store;
  service: Service;
  /** Whether a person has set how MASS_GET names a mass payout. */
  isStated: boolean;
  nowMs(): number;
  /** Tries which reads of a mass payout the service understands: of `known`, or of a random one. Creates nothing. */
  tryReads(known: KnownPayout | undefined): Promise<readonly ReadTrial[]>;
}>;

/**
 * Creates the check that a batch passes before its first create: the service understands a read of a mass payout. Without any
 * read nothing shows how a payment ended. The check costs requests until a lookup of the account has found a mass payout,
 * or until this worker has seen a read understood. It passes where a person has set how MASS_GET is called. Where reads by key
 * alone are understood, one must find the mass payout that the account has, if it has one.
 *
 * The check throws ENDS_UNREADABLE, and SERVICE_UNREACHABLE where a read got no answer.
 */
export function createReadableEndsCheck({
  store,
  service,
  isStated,
  nowMs,
  tryReads,
}: ReadableEndsDeps): () => Promise<void> {
  let isUnderstood = isStated;
  return async () => {
    if (isUnderstood) return;
    const { finding } = await store.lookupVerification.trust(service.account, service.lookupName);
    if (finding.length === 0) {
      const known = await knownPayout(store, service.account, nowMs());
      const trials = await tryReads(known);
      if (!trials.some((trial) => showsEnds(trial, known))) throw refusalOf(service, trials);
    }
    isUnderstood = true;
  };
}

/** A lookup that never finds anything refuses a random key as any other lookup does. Only a mass payout that exists shows it. */
const showsEnds = (
  { verdict, name, hasFound }: ReadTrial,
  known: KnownPayout | undefined,
): boolean => hasFound || (verdict === 'understood' && (name === 'id' || known === undefined));

function refusalOf({ baseUrl }: Service, trials: readonly ReadTrial[]): BursarError {
  const reads = trials.map(({ operation, name }) => `${operation} by ${name}`).join(', ');
  const unanswered = trials.find(({ hasAnswer }) => !hasAnswer);
  if (unanswered === undefined) return new BursarError('ENDS_UNREADABLE', { reads });
  const reason = `${unanswered.operation} got no answer`;
  return new BursarError('SERVICE_UNREACHABLE', { baseUrl, reason });
}

/** A mass payout that the service accepted from the account, long enough ago that lookups must find it. */
async function knownPayout(
  store: Store,
  account: string,
  nowMs: number,
): Promise<KnownPayout | undefined> {
  const witnesses = await store.lookupVerification.witnesses(account, '');
  const old = witnesses.find(
    ({ signedAtMs }) => signedAtMs !== null && nowMs - signedAtMs >= REFUSED_MS_MAX,
  );
  if (old === undefined || old.massPayoutId === null) return undefined;
  return { id: old.massPayoutId, idempotencyKey: old.idempotencyKey };
}
