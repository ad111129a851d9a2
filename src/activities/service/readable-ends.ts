import type { KnownPayout, ReadTrial } from '@bursar/merchant-api';
import type { ShapeChoices } from '@bursar/merchant-api/spec';
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
  /**
   * Tries which reads of a mass payout the service understands: of `known`, or of a random one. MASS_GET is called as
   * `massGetAccepts` says, else as the settings say. Creates nothing.
   */
  tryReads(
    known: KnownPayout | undefined,
    massGetAccepts?: MassGetAccepts,
  ): Promise<readonly ReadTrial[]>;
}>;

type MassGetAccepts = NonNullable<ShapeChoices['massGetAccepts']>;

/** Together they try each way in which MASS_GET may name a mass payout. */
const EVERY_FORM = ['reference', 'flat'] as const satisfies readonly MassGetAccepts[];

/**
 * Creates the check that a batch passes before its first create: the service understands a read of a mass payout. Without any
 * read nothing shows how a payment ended. The check costs requests until a lookup of the account has found a mass payout,
 * or until this worker has seen a read understood. Where reads by key alone are understood, one must find a mass payout that
 * the account has: a service whose keys never find anything refuses a random key in the same way.
 *
 * A service may refuse every wrong request alike: then no trial shows anything, and a person who has set how MASS_GET is
 * called is believed, also about keys before the account has a mass payout. The person is not believed where MASS_GET is
 * understood in another form alone: with `id-only` set, a service that takes keys would be paid over and never show an end.
 *
 * The check throws ENDS_UNREADABLE, and SERVICE_UNREACHABLE where a read got no answer.
 */
export function createReadableEndsCheck(deps: ReadableEndsDeps): () => Promise<void> {
  const { store, service, nowMs } = deps;
  let isPassed = false;
  return async () => {
    if (isPassed) return;
    const { finding } = await store.lookupVerification.trust(service.account, service.lookupName);
    if (finding.length === 0) {
      await requireRead(deps, await knownPayout(store, service.account, nowMs()));
    }
    isPassed = true;
  };
}

async function requireRead(
  { service, isStated, tryReads }: ReadableEndsDeps,
  known: KnownPayout | undefined,
): Promise<void> {
  const trials = await tryReads(known);
  if (trials.some((trial) => showsEnds(trial, { known, isStated }))) return;
  requireAnswers(service, trials);
  const mayBelieve = isStated && !trials.some(isUnderstood);
  const others: string[] = [];
  for (const form of mayBelieve ? EVERY_FORM : []) {
    const ofForm = await tryReads(known, form);
    requireAnswers(service, ofForm);
    others.push(...ofForm.filter(isUnderstood).map((trial) => `${readOf(trial)} (${form})`));
  }
  if (mayBelieve && others.length === 0) return;
  const reads = trials.map(readOf).join(', ');
  throw new BursarError('ENDS_UNREADABLE', {
    reads,
    ...(others.length > 0 && { understood: others.join(', ') }),
  });
}

const showsEnds = (
  { verdict, name, hasFound }: ReadTrial,
  { known, isStated }: Readonly<{ known: KnownPayout | undefined; isStated: boolean }>,
): boolean =>
  hasFound || (verdict === 'understood' && (name === 'id' || (isStated && known === undefined)));

const isUnderstood = ({ verdict, hasFound }: ReadTrial): boolean =>
  hasFound || verdict === 'understood';

const readOf = ({ operation, name }: ReadTrial): string => `${operation} by ${name}`;

function requireAnswers({ baseUrl }: Service, trials: readonly ReadTrial[]): void {
  const unanswered = trials.find(({ hasAnswer }) => !hasAnswer);
  if (unanswered === undefined) return;
  const reason = `${unanswered.operation} got no answer`;
  throw new BursarError('SERVICE_UNREACHABLE', { baseUrl, reason });
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
