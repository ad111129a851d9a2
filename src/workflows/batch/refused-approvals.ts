import type { ApproveInput } from '../../contract/messages.ts';
import type { ErrorNote } from '../../domain/errors/bursar-error.ts';
import { noteRefusedApproval } from '../shared/activities.ts';
import { inOrder } from './hold-desk.ts';

/** Refused approvals of one batch that are written down: its history must not grow with all that anybody sends. */
const NOTED_MAX = 50;

/** Characters of an update that is kept in the history though it is refused; a whole approval has less than 3,000. */
const LENGTH_MAX = 5_000;

/** A batch that has ended writes nothing down, and what cannot be read says nothing in anybody's name. */
const NOT_NOTED: readonly string[] = ['BATCH_ENDED', 'APPROVAL_UNREADABLE'];

/** Characters of a name in the audit log. */
const NAME_LENGTH_MAX = 100;

/**
 * Has approvals that do not count written down. An update that its validator refuses leaves no trace, so that one which is
 * to be written down is let into the history, and refused there.
 */
export function createRefusedApprovals(batchId: string) {
  let noted = 0;
  return {
    /** Whether what is refused with this note is to be written down. `input` came from anybody, and may be anything. */
    isToNote: ({ code }: ErrorNote, input: unknown): boolean =>
      noted < NOTED_MAX && !NOT_NOTED.includes(code) && isShort(input),
    note: async ({ code }: ErrorNote, input: Partial<ApproveInput> | undefined): Promise<void> => {
      noted += 1;
      const { person, decision }: Readonly<Record<string, unknown>> = input?.approval ?? {};
      const by = nameIn(input?.by);
      const tried = decision === 'refuse' ? 'refuse' : 'approve';
      const entry = { batchId, by, person: nameIn(person), decision: tried, code } as const;
      await inOrder(() => noteRefusedApproval(entry));
    },
  };
}

const isShort = (input: unknown): boolean =>
  ((JSON.stringify(input) as string | undefined) ?? '').length <= LENGTH_MAX;

/** A name that somebody gave; null where it is none. */
export const nameIn = (value: unknown): string | null =>
  typeof value === 'string' ? value.slice(0, NAME_LENGTH_MAX) : null;
