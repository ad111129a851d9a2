import type { Mutant } from './mutant.ts';

const AUTHORITY = 'src/domain/approval/authority.ts';
const STORE_AUTHORITY = 'src/store/control/authority.ts';
const LIFTS = 'src/store/control/lifts.ts';
const CONTROLS = 'src/activities/control/controls.ts';
const DUE = 'src/domain/approval/due.ts';

/** Engines that let a caller pay, or speak, without a signature that allows it. */
export const AUTHORITY_MUTANTS: readonly Mutant[] = [
  {
    name: 'no-open-holds-look',
    does: 'begins an attempt without a look at the holds that are on',
    edits: [
      {
        file: STORE_AUTHORITY,
        find: "  if (isHeld) return { kind: 'held' };",
        replace: "  if (isHeld && row.batch_id === '') return { kind: 'held' };",
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
        find: "  if (row.digest === null || !isReleased(releaseTimesOf(row))) return { kind: 'unreleased' };",
        replace:
          "  if (row.digest === null || isReleased({ releasedAtMs: null, dueAtMs: null }))\n    return { kind: 'unreleased' };",
      },
      {
        file: AUTHORITY,
        find: "  if (!isReleased(batch)) return { kind: 'unreleased' };\n",
        replace: '',
      },
      {
        file: AUTHORITY,
        find: "  if (!isReleased(batch)) return 'it was released before the time that its plan names';\n",
        replace:
          "  if (isReleased({ releasedAtMs: null, dueAtMs: null })) return 'it is never released';\n",
      },
    ],
    scenarios: ['approvals'],
  },
  {
    name: 'first-byte-token',
    does: 'lets in every token whose digest begins as a known one',
    edits: [
      {
        file: 'src/config/token-files.ts',
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
        file: 'src/activities/send/answer-chunk.ts',
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
        file: 'src/activities/ingest/submission.ts',
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
        file: 'src/activities/fees/check-fees.ts',
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
  {
    name: 'before-its-time',
    does: 'releases and pays a batch before the time that people approved',
    edits: [
      {
        file: DUE,
        find: '  dueAtMs === null || nowMs >= dueAtMs;',
        replace: '  dueAtMs === null || nowMs > 0;',
      },
    ],
    scenarios: ['approvals'],
  },
  {
    name: 'limit-before-plan',
    does: 'takes a hold that a name lifted before the plan for a limit that people let pass',
    edits: [
      {
        file: 'src/domain/holds/hold.ts',
        find: "  basis !== 'rule' && basis !== 'unplanned';",
        replace: "  basis !== 'rule';",
      },
      {
        file: CONTROLS,
        find: '  const isTooEarly = policy !== null && batch !== undefined && batch.digest === null;',
        replace: '  const isTooEarly = policy !== null && batch === undefined;',
      },
      {
        file: CONTROLS,
        find: "  throw new BursarError('INPUT_INVALID', { activity: 'putHold', problem });",
        replace:
          "  if (problem !== '') return store.holds.put(batchId, { ...asked, actor: ENGINE }, nowMs());\n  throw new BursarError('INPUT_INVALID', { activity: 'putHold', problem });",
      },
    ],
    scenarios: ['rule-holds'],
  },
  {
    name: 'pause-before-plan',
    does: 'lifts a pause before the plan for any name that is given',
    edits: [
      {
        file: CONTROLS,
        find: '  const isTooEarly = policy !== null && batch !== undefined && batch.digest === null;',
        replace: '  const isTooEarly = policy !== null && batch === undefined;',
      },
    ],
    scenarios: ['approvals'],
  },
  {
    name: 'funds-before-plan',
    does: 'grants a batch its money before it has a plan, and so without the limit of a day',
    edits: [
      {
        file: 'src/activities/funds/funds.ts',
        find: '  if (batch.digest === null) {',
        replace: "  if (batch.digest === '') {",
      },
    ],
    scenarios: ['rule-holds'],
  },
  {
    name: 'holds-in-words-of-callers',
    does: 'puts the hold of a rule on in the words of a caller, where the rule asks for none',
    edits: [
      {
        file: CONTROLS,
        find: "  throw new BursarError('INPUT_INVALID', { activity: 'putHold', problem });",
        replace:
          "  if (problem !== '') return store.holds.put(batchId, { ...asked, actor: ENGINE }, nowMs());\n  throw new BursarError('INPUT_INVALID', { activity: 'putHold', problem });",
      },
    ],
    scenarios: ['rule-holds'],
  },
  {
    name: 'refused-by-call',
    does: 'ends a batch as refused because a caller says so',
    edits: [
      {
        file: 'src/activities/report/report.ts',
        find: "  if (error?.code !== 'REFUSED_BY_APPROVER') return input;",
        replace: "  if (error?.code !== 'REFUSED_BY_APPROVER' || batchId !== '') return input;",
      },
    ],
    scenarios: ['approvals'],
  },
  {
    name: 'two-names-one-key',
    does: 'counts one key twice that has two names',
    edits: [
      {
        file: 'src/domain/approval/people.ts',
        find: 'publicKey === null ? plainName(name) : keyIdentity(publicKey);',
        replace:
          "publicKey === null || keyIdentity(publicKey) !== '' ? plainName(name) : publicKey;",
      },
    ],
    scenarios: ['approvals'],
  },
  {
    name: 'verify-without-approvals',
    does: 'verifies a batch without a look at its approvals',
    edits: [
      {
        file: 'src/report/verify/check-approvals.ts',
        find: '  for (const why of lacking) problems',
        replace: '  for (const why of lacking.slice(lacking.length)) problems',
      },
    ],
    scenarios: ['approvals'],
  },
  {
    name: 'clear-payloads',
    does: 'takes payloads in clear although there is a key ring',
    edits: [
      {
        file: 'src/domain/encryption/clear-value.ts',
        find: 'isClear(given) && given[MARK].refused;',
        replace: 'isClear(given) && given[MARK].refused && given[MARK].value === MARK;',
      },
    ],
    scenarios: ['encryption'],
  },
  {
    name: 'unsigned-older-store',
    does: 'goes on with an older store though no person signed that',
    edits: [
      {
        file: 'src/cli/commands/recover.ts',
        find: "        store === 'current'\n          ? null",
        replace: "        store === 'current' || store === 'older'\n          ? null",
      },
    ],
    scenarios: ['recover'],
  },
];
