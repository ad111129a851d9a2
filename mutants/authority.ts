import type { Mutant } from './mutant.ts';

const AUTHORITY = 'src/domain/approval/authority.ts';
const STORE_AUTHORITY = 'src/store/authority.ts';
const LIFTS = 'src/store/lifts.ts';

/** Engines that let a caller pay, or speak, without a signature that allows it. */
export const AUTHORITY_MUTANTS: readonly Mutant[] = [
  {
    name: 'no-open-holds-look',
    does: 'begins an attempt without a look at the holds that are on',
    edits: [
      {
        file: STORE_AUTHORITY,
        find: "  if ((await openHolds(tx, row.batch_id)).length > 0) return { kind: 'held' };\n",
        replace: '',
      },
      {
        file: AUTHORITY,
        find: "  if (holds.some(({ released }) => released === null)) return { kind: 'held' };",
        replace: "  if (holds.length < 0) return { kind: 'held' };",
      },
    ],
    scenarios: ['stop-and-wait', 'holds'],
  },
  {
    name: 'no-released-look',
    does: 'begins an attempt of a batch that was not released',
    edits: [
      {
        file: STORE_AUTHORITY,
        find: "  if (row.released_at_ms === null || row.digest === null) return { kind: 'unreleased' };",
        replace: "  if (row.digest === null) return { kind: 'unreleased' };",
      },
      {
        file: AUTHORITY,
        find: "  if (batch.releasedAtMs === null) return { kind: 'unreleased' };\n",
        replace: '',
      },
    ],
    scenarios: ['approvals'],
  },
  {
    name: 'first-byte-token',
    does: 'lets in every token whose digest begins as a known one',
    edits: [
      {
        file: 'src/config/tokens.ts',
        find: '      return digests.map((known) => timingSafeEqual(known, digest)).includes(true);',
        replace:
          '      return digests\n        .map((known) => timingSafeEqual(known.subarray(0, 1), digest.subarray(0, 1)))\n        .includes(true);',
      },
    ],
    scenarios: ['forged-webhooks'],
  },
  {
    name: 'lift-by-name',
    does: 'lifts a hold for any name that is given',
    edits: [
      {
        file: LIFTS,
        find: "  if (standing !== null && !standing.satisfied) {\n    return { kind: 'not-approved', hold",
        replace:
          "  if (standing !== null && hold.n < 0) {\n    return { kind: 'not-approved', hold",
      },
      {
        file: AUTHORITY,
        find: '  return isLiftApproved(facts, hold) ? null : `hold ${hold.n} was lifted without approvals`;',
        replace: '  return null;',
      },
    ],
    scenarios: ['approvals', 'rule-holds'],
  },
  {
    name: 'release-by-call',
    does: 'takes a release for the approval of the plan',
    edits: [
      {
        file: LIFTS,
        find: "  if (standing !== null && !standing.satisfied) {\n    return { kind: 'not-approved', missing",
        replace:
          "  if (standing !== null && atMs < 0) {\n    return { kind: 'not-approved', missing",
      },
      {
        file: AUTHORITY,
        find: '    unapprovedPlan(facts, question) ??\n',
        replace: '    (facts.holds.length < 0 ? unapprovedPlan(facts, question) : null) ??\n',
      },
    ],
    scenarios: ['approvals'],
  },
  {
    name: 'answer-by-name',
    does: 'takes the answer for a create in doubt from any name that is given',
    edits: [
      {
        file: 'src/activities/answer-chunk.ts',
        find: '    question === null\n      ? byName',
        replace: "    question === null || answer.by !== ''\n      ? byName",
      },
      {
        file: AUTHORITY,
        find: '    unapprovedAnswer(facts)\n',
        replace: '    (facts.holds.length < 0 ? unapprovedAnswer(facts) : null)\n',
      },
    ],
    scenarios: ['approvals'],
  },
  {
    name: 'unsigned-submit',
    does: 'believes the name of the submitter, so that one person can be submitter and approver',
    edits: [
      {
        file: AUTHORITY,
        find: '  return submitter === batch.submittedBy ? null',
        replace: "  return submitter !== '' ? null",
      },
      {
        file: 'src/activities/submission.ts',
        find: "  if (policy.mode === 'signed' && questionOfBatch(batch, null) !== null) {",
        replace: "  if (batchId === '' && questionOfBatch(batch, null) !== null) {",
      },
    ],
    scenarios: ['approvals'],
  },
  {
    name: 'accepted-fees-by-caller',
    does: 'takes the fees that a caller calls accepted for accepted',
    edits: [
      {
        file: 'src/activities/check-fees.ts',
        find: '  await requireLiftedFees(deps.store, batch, quotes);\n',
        replace: '',
      },
    ],
    scenarios: ['rule-holds'],
  },
  {
    name: 'expired-approval',
    does: 'counts an approval whose time is over',
    edits: [
      {
        file: 'src/domain/approval/standing.ts',
        find: '    (one) => one.decision === consentOf(question) && !isExpired(one, atMs),',
        replace:
          '    (one) => one.decision === consentOf(question) && (atMs > 0 || !isExpired(one, atMs)),',
      },
    ],
    scenarios: ['approvals'],
  },
];
