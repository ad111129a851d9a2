import { MISSES_MIN } from '../src/domain/sending/evidence.ts';
import type { SendState } from '../src/domain/sending/reduce.ts';

/**
 * Engines with one rule left out, each a way in which real ones have paid twice or lost rows. The simulation must catch every
 * one of them: what it cannot catch, it does not prove of ours.
 */
export const CARELESS = {
  'blind-resend': 'takes an answer that did not come for a create that did not happen',
  'no-fence': 'sends again as soon as a lookup misses',
  'single-date':
    'takes one Date of the service for proof that the create can no longer be accepted',
  'sign-at-send': 'signs the time of sending and not the one that was written down',
  'stale-facts':
    'takes what it read before it stood still for what is so now, and one miss for proof',
  'unlists-late': 'takes a create off the unsent list once it has its answer',
  'other-body': 'makes the body of a create anew, and otherwise, when it sends again',
  'miss-is-failed': 'takes a lookup that misses for proof that nothing was created',
  'trusts-webhooks': 'takes the state that a webhook claims for what became of the rows',
  'ignores-pauses': 'sends though people have paused the batch',
  'resends-all': 'resends every row of a mass payout of which some failed',
  'trusts-older-store': 'sends what a store that was brought back does not know to have been sent',
  'verifies-at-once': 'takes one miss for proof that a store which was brought back lacks no send',
  'no-second-look': 'resends what failed without reading it once more',
  'garbage-disproves': 'takes a question without an answer for proof that lookups find nothing',
  'hasty-miss': 'sends again after a single miss, and asks once for what is known to exist',
  'never-distrusts': 'goes on believing lookups that contradicted themselves',
  'never-looks-again': 'does not look for a second mass payout before it ends',
  'miss-is-alone': 'takes a lookup that misses what exists for proof that there is no second one',
  'silent-second':
    'sends again after a miss, and takes a second mass payout for the first, and a miss for none',
  'ends-early': 'ends without waiting for a create that the service accepts late',
  'forgets-paid': 'calls rows unpaid that it called paid before, because the service does now',
  'trusts-balances': 'calls the balance explained without comparing it',
  'forgets-differences':
    'decides by the last read of the balance alone, whatever an earlier one showed',
  'counts-ends-alone': 'takes money that is on its way for money that no order explains',
  'keeps-old-fees': 'releases a batch on fees that were quoted long before it stopped waiting',
  'releases-unapproved': 'releases a batch though its approvals have lapsed',
} as const;
export type Carelessness = keyof typeof CARELESS;

/** Whether an engine sends again after a single miss. */
export const isHasty = (careless: Carelessness | undefined): boolean =>
  careless === 'hasty-miss' || careless === 'silent-second' || careless === 'stale-facts';

/** Whether an engine takes a miss of what exists for proof that there is no second mass payout. */
export const isMissAlone = (careless: Carelessness | undefined): boolean =>
  careless === 'miss-is-alone' || careless === 'silent-second';

/** What a hasty engine decides by: every miss counts as often as misses are needed. */
export const withMoreMisses = (send: SendState): SendState => {
  const lookups = send.record.lookups.flatMap((lookup) =>
    lookup.result === 'missed'
      ? Array.from({ length: MISSES_MIN }, (_, i) => ({
          ...lookup,
          atMs: lookup.atMs - 60_000 * (1 - Math.sign(i)),
        }))
      : [lookup],
  );
  return { ...send, record: { ...send.record, lookups } };
};
