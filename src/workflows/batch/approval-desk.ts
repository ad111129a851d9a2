import { defineUpdate, patched, setHandler, sleep } from '@temporalio/workflow';
import type { Act, ApproveInput } from '../../contract/messages.ts';
import { UPDATE_APPROVE } from '../../contract/names.ts';
import type { ApprovalStatus, GivenStatus } from '../../contract/status.ts';
import type { ApprovalPolicy } from '../../domain/approval/policy.ts';
import { type Question, questionOf } from '../../domain/approval/question.ts';
import { refusalOf } from '../../domain/approval/refusal.ts';
import type { CurrencyTotal } from '../../domain/approval/requirements.ts';
import {
  impossibilityOf,
  soundApprovals,
  type Standing,
  standingFrom,
} from '../../domain/approval/standing.ts';
import { type Approval, statementText } from '../../domain/approval/statement.ts';
import { type ErrorNote, noteOf } from '../../domain/errors/bursar-error.ts';
import type { Hold } from '../../domain/holds/hold.ts';
import { stepSummary } from '../../domain/text/markdown.ts';
import { readControls, recordApproval, releaseApprovedHold } from '../shared/activities.ts';
import { inOrder, refuse, stoppedNote } from './hold-desk.ts';
import { createRefusedApprovals, nameIn } from './refused-approvals.ts';

export const approveUpdate = defineUpdate<void, [ApproveInput]>(UPDATE_APPROVE);

/** What approvals ask of the desk of their batch. */
type ApprovalPlace = Readonly<{
  batchId: string;
  submittedBy: string;
  /** Why nobody can decide anything any more; undefined while somebody can. */
  endedNote(): ErrorNote | undefined;
  /** Why nothing more is sent; null while everything goes on. */
  stopReason(): string | null;
  /** The hold of a rule that is on. */
  hold(): Hold | null;
  /** Whether the plan can still be approved or refused: it was not allowed to pay yet. */
  isPlanOpen(): boolean;
  drop(hold: Hold): void;
  changed(): void;
}>;

/** The plan that is put before approvers. */
export type ProposedPlan = Readonly<{
  policy: ApprovalPolicy | null;
  digest: string;
  totals: readonly CurrencyTotal[];
}>;

export type ApprovalDesk = ReturnType<typeof openApprovalDesk>;

/** The approvals of a batch: whether its plan, or what it is held for, may go on, and who must still say so. */
export function openApprovalDesk(place: ApprovalPlace) {
  const notes: Notes = { given: [], coming: [] };
  let plan: ProposedPlan | null = null;
  const questionAbout = (hold: Hold | null): Question | null =>
    plan === null ? null : questionOf({ ...place, ...plan, hold });
  const question = (): Question | null => {
    const hold = place.hold();
    return hold === null && !place.isPlanOpen() ? null : questionAbout(hold);
  };
  const soundOf = createVerifier(notes);
  const standing: StandingOf = (about) => standingFrom(about, soundOf(about), Date.now());
  return {
    /** Registers the handler. Updates that came before the first workflow task run at once, so every desk must be open. */
    listen: (): void => listen(place, { notes, question, standing }),
    propose: (proposed: ProposedPlan): void => {
      plan = proposed;
      place.changed();
    },
    given: (): readonly Approval[] => notes.given,
    restore: (stored: readonly Approval[], heard: readonly Approval[]): void =>
      takeStored(notes, stored, heard),
    /** Whether the plan may go on now. What somebody just says is waited for. */
    isApproved: (): boolean => {
      const about = questionAbout(null);
      return about === null || (notes.coming.length === 0 && standing(about).satisfied);
    },
    /** Who refused, and why. */
    refusedBy: (): Act | null =>
      refusalAct(questionAbout(null), standing) ?? refusalAct(question(), standing),
    /** Why the plan can never be approved. */
    impossibility: (): ErrorNote | null => {
      const about = questionAbout(null);
      const facts = about === null ? null : impossibilityOf(about);
      return facts === null ? null : noteOf('APPROVAL_IMPOSSIBLE', facts);
    },
    /** Whether the plan, and what a rule holds it for, go on by approval. */
    isNeeded: (): boolean => questionAbout(null) !== null,
    status: (): ApprovalStatus | null => statusOf(question(), notes.given, { soundOf, standing }),
  };
}

/** What approvers said: what is written down, and what is about to be. Only the former lets anything go on. */
type Notes = { given: readonly Approval[]; coming: readonly Approval[] };

const approvalName = (one: Approval): string => `${statementText(one)}\n${one.signature}`;

type StandingOf = (question: Question) => Standing;
type SoundOf = (question: Question) => readonly Approval[];

/** Signatures take milliseconds to verify, and a batch asks often: each is verified once for each question. */
function createVerifier(notes: Notes): SoundOf {
  let known = { subject: '', given: notes.given, sound: [] as Approval[] };
  return (question) => {
    const { subject } = question;
    const { given } = notes;
    if (known.subject !== subject || known.given !== given) {
      known = { subject, given, sound: soundApprovals(question, given) };
    }
    return known.sound;
  };
}

type Asked = Readonly<{
  notes: Notes;
  question(): Question | null;
  standing: StandingOf;
}>;

function listen(place: ApprovalPlace, { notes, question, standing }: Asked): void {
  const { batchId } = place;
  const refused = createRefusedApprovals(batchId);
  const refusalNow = (input: Partial<ApproveInput> | undefined): ErrorNote | null => {
    const before = { given: [...notes.given, ...notes.coming], nowMs: Date.now() };
    const closed = place.endedNote() ?? stoppedNote(place);
    return closed ?? refusalOf(input?.approval, question(), before);
  };
  setHandler(
    approveUpdate,
    async (input) => {
      // The validator lets in what is to be written down; and another update may have come in between, and one counts once.
      const refusal = refusalNow(input);
      if (refusal !== null) {
        await refused.note(refusal, input);
        refuse(refusal);
      }
      const { approval } = input;
      const hold = place.hold();
      const said = { batchId, approval, hold, by: nameIn(input.by) };
      notes.coming = [...notes.coming, approval];
      try {
        const recorded = await inOrder(() => recordApproval(said));
        if (recorded.kind === 'refused') refuse(recorded.error);
        notes.given = [...notes.given, approval];
        showLapse(place, approval);
      } finally {
        notes.coming = notes.coming.filter((one) => one !== approval);
      }
      await releaseIfApproved(place, { notes, question, standing });
      place.changed();
    },
    {
      validator: (input) => {
        const refusal = refusalNow(input);
        if (refusal !== null && !refused.isToNote(refusal, input)) refuse(refusal);
      },
    },
  );
}

/** Shows that an approval has lapsed when it does: nothing else may wake the batch then. */
function showLapse({ changed }: ApprovalPlace, { person, decision, expiresAt }: Approval): void {
  // Batches whose approvals came to an earlier version have no such timer in their histories.
  if (decision !== 'approve' || !patched('show-lapse')) return;
  const leftMs = Math.max(1, Date.parse(expiresAt) - Date.now());
  void sleep(leftMs, { summary: stepSummary(`the approval by ${person} lapses`) })
    .then(changed)
    // A batch that is canceled waits for nothing.
    .catch(() => undefined);
}

/** Lets a held batch go on. The store has the last word: it may have come from an older copy that knows fewer approvals. */
async function releaseIfApproved(
  { batchId, hold: openHold, drop }: ApprovalPlace,
  { notes, question, standing }: Asked,
): Promise<void> {
  const hold = openHold();
  const about = question();
  if (hold === null || about === null || !standing(about).satisfied) return;
  const heard = notes.given;
  const released = await inOrder(() => releaseApprovedHold({ batchId, n: hold.n }));
  if (released.kind === 'released') return drop(hold);
  const { approvals } = await inOrder(() => readControls({ batchId }));
  takeStored(notes, approvals, heard);
  refuse(noteOf('HOLD_APPROVALS_MISSING', { batchId, missing: released.missing }));
}

/** Goes on from what the store has, and from what came in since it was asked: all that is not among the `heard`. */
function takeStored(notes: Notes, stored: readonly Approval[], heard: readonly Approval[]): void {
  const known = new Set([...stored, ...heard].map(approvalName));
  notes.given = [...stored, ...notes.given.filter((one) => !known.has(approvalName(one)))];
}

function refusalAct(question: Question | null, standing: StandingOf): Act | null {
  const [refusal] = question === null ? [] : standing(question).refusals;
  return refusal === undefined ? null : { by: refusal.person, reason: refusal.reason };
}

function statusOf(
  question: Question | null,
  given: readonly Approval[],
  { soundOf, standing }: Readonly<{ soundOf: SoundOf; standing: StandingOf }>,
): ApprovalStatus | null {
  if (question === null) return null;
  const { subject } = question;
  const sound = new Set(soundOf(question).map(approvalName));
  const about = given.filter((approval) => approval.subject === subject);
  return {
    subject,
    missing: standing(question).missing,
    given: about.filter((one) => sound.has(approvalName(one))).map(givenStatus),
    notGenuine: about.filter((one) => !sound.has(approvalName(one))).map(givenStatus),
  };
}

const givenStatus = ({ person, decision, issuedAt, expiresAt }: Approval): GivenStatus => ({
  person,
  decision,
  at: issuedAt,
  expiresAt,
});
