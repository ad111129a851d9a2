import type { Hint } from '../contract/messages.ts';
import type { Clock } from './clock.ts';
import { attempt, type Contact, createLink, type LinkState } from './link.ts';
import type { Log } from './log.ts';
import type { Letter, LetterBox, Settled, Told } from './outbox.ts';

/** Signals sent side by side. */
const LETTERS_AT_ONCE = 16;

/** What the bridge asks of Temporal. Both fail when Temporal does not answer in time. */
export type Temporal = Readonly<{
  /** Without a hint: that the account may hold more. */
  signal(workflowId: string, hint: Hint | null): Promise<Told>;
  ping(): Promise<void>;
}>;

export type PostmanDeps = Readonly<{
  boxes: readonly LetterBox[];
  temporal: Temporal;
  clock: Pick<Clock, 'nowMs'>;
  log: Log;
}>;

type Due = Letter & Readonly<{ box: LetterBox }>;

/** Tells workflows what waits for them, while Temporal is there. */
export function createPostman({ boxes, temporal, clock, log }: PostmanDeps) {
  const link = createLink(log);

  /** A batch that is over has no partitions any more; what changes after its report is followed by its aftercare. */
  async function tell({ workflowId, aftercareId, hint }: Letter): Promise<Told> {
    const told = await temporal.signal(workflowId, hint);
    return told === 'gone' && aftercareId !== undefined ? temporal.signal(aftercareId, hint) : told;
  }

  async function deliver({ box, ...letter }: Due, settled: Settled[]): Promise<Contact> {
    const { workflowId } = letter;
    const contact = await attempt(() => tell(letter));
    if (contact.worked) settled.push(box.conclude(workflowId, contact.result, clock.nowMs()));
    else box.putOff(workflowId, clock.nowMs());
    return contact;
  }

  const dueNow = (): Due[] =>
    boxes
      .flatMap((box) =>
        box.due(clock.nowMs(), LETTERS_AT_ONCE).map((letter) => ({ ...letter, box })),
      )
      .slice(0, LETTERS_AT_ONCE);

  return {
    state: (): LinkState => link.state(),

    /** Delivers all that is due, or all that can be; returns the webhooks that are thereby dealt with. */
    async deliverAll(): Promise<Settled> {
      const settled: Settled[] = [];
      while (link.mayTry(clock.nowMs())) {
        const letters = dueNow();
        if (letters.length === 0) break;
        const contacts = await Promise.all(letters.map((letter) => deliver(letter, settled)));
        // One workflow that cannot be told is put off; only when none can, Temporal is away.
        link.note(contacts.find((contact) => contact.worked) ?? contacts[0], clock.nowMs());
      }
      if (link.isPingDue(clock.nowMs())) {
        link.note(await attempt(() => temporal.ping()), clock.nowMs());
      }
      return {
        forwarded: settled.flatMap(({ forwarded }) => forwarded),
        ignored: settled.flatMap(({ ignored }) => ignored),
      };
    },
  };
}
