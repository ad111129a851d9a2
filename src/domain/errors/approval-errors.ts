import { entry } from './entry.ts';

type ByPerson = Readonly<{ person: string }>;
type KeyFile = Readonly<{ file: string }>;

/** Errors of approvals and refusals that do not count, and of the keys that sign them. */
export const APPROVAL_ERRORS = {
  APPROVAL_NOT_NEEDED: entry({
    category: 'usage',
    what: 'Nothing of this batch waits for an approval.',
    why: 'Its policy asks for none, it is approved already, or its plan is not made yet.',
    fix: 'See with "bursar status" what it waits for. A pause is ended with "bursar resume"; to stop the batch: "bursar cancel".',
  }),
  APPROVAL_UNREADABLE: entry<Readonly<{ field: string }>>({
    category: 'usage',
    what: (f) => `This is no approval: its ${f.field} is missing or not what it must be.`,
    why: 'Every field of an approval is needed, or it does not count.',
    fix: 'Approve with "bursar approve", of the same version as the worker.',
  }),
  APPROVAL_FOR_ANOTHER: entry<Readonly<{ given: string; expected: string; batchId: string }>>({
    category: 'usage',
    what: (f) => `The approval is for ${f.given}; batch ${f.batchId} waits for ${f.expected}.`,
    why: 'An approval holds for exactly what was looked at. After any change it is void.',
    fix: (f) => `Look at the batch as it is now, then: bursar approve ${f.batchId}`,
  }),
  APPROVAL_FORGED: entry<ByPerson>({
    category: 'auth',
    what: (f) => `The signature is not that of ${f.person} under this approval.`,
    why: 'Only the owner of the key that the policy names can sign for a person, and every field is signed.',
    fix: 'Sign with the key of that person (--key), or have the policy name the new public key for plans to come.',
  }),
  APPROVAL_UNSIGNED: entry<ByPerson>({
    category: 'usage',
    what: (f) => `The approval of ${f.person} is not signed.`,
    why: 'The policy of this plan counts signed approvals only: a name alone proves nothing.',
    fix: 'Give your key with --key FILE; "bursar keys new" makes one. With a passkey, approve in the web app.',
  }),
  PAYOUT_OUTSIDE_POLICY: entry({
    category: 'usage',
    what: () =>
      'A single payout is refused: the settings have an approval policy, and it would pay without approvals.',
    why: 'The command calls the service directly. No plan is made that people could approve, and nothing is written down.',
    fix: 'Put the recipients in a file and run: bursar submit FILE. The people of the policy then approve the batch.',
  }),
  APPROVAL_EXPIRED: entry<Readonly<{ expiresAt: string; now: string }>>({
    category: 'usage',
    what: (f) => `The approval expired at ${f.expiresAt} (it is ${f.now}).`,
    why: 'What was right to pay then may not be right now.',
    fix: 'Look at the batch again and approve again.',
  }),
  APPROVAL_FROM_FUTURE: entry<Readonly<{ issuedAt: string; now: string }>>({
    category: 'auth',
    what: (f) => `The approval was issued at ${f.issuedAt}, and it is only ${f.now}.`,
    why: 'Approvals cannot be written in advance; a clock may be a few minutes ahead at most.',
    fix: 'Set the clock of the machine that signs, then approve again.',
  }),
  APPROVAL_TOO_LONG: entry<Readonly<{ allowed: string }>>({
    category: 'usage',
    what: (f) => `The approval is to hold for longer than ${f.allowed}.`,
    why: 'The policy of the plan says how long approvals hold (approval.expires_after_ms).',
    fix: 'Approve with "bursar approve", which takes the time from the policy.',
  }),
  APPROVAL_REPEATED: entry<ByPerson & Readonly<{ batchId: string; at: string }>>({
    category: 'usage',
    what: (f) => `${f.person} decided on this already, at ${f.at}.`,
    why: 'One person counts once, under however many names, and a refusal is not taken back.',
    fix: (f) =>
      `Somebody else has to approve: see who may with "bursar inbox". Nothing is lost in batch ${f.batchId}.`,
  }),
  APPROVAL_BY_SUBMITTER: entry<ByPerson & Readonly<{ submittedBy: string; batchId: string }>>({
    category: 'auth',
    what: (f) => `${f.person} submitted batch ${f.batchId} (as ${f.submittedBy}).`,
    why: 'Whoever submits a payment cannot approve or refuse it: two people must look at it.',
    fix: (f) => `Have somebody else approve it. To stop your own batch: bursar cancel ${f.batchId}`,
  }),
  APPROVER_UNKNOWN: entry<ByPerson>({
    category: 'auth',
    what: (f) => `The policy of this plan knows no approver "${f.person}".`,
    why: 'Only people of approval.people count, as the settings of the worker had them when the plan was made.',
    fix: 'Approve as one of them (--as NAME, --key FILE), or add the person to the settings for plans to come.',
  }),
  APPROVER_NOT_ENTITLED: entry<ByPerson & Readonly<{ roles: string }>>({
    category: 'auth',
    what: (f) => `${f.person} may not approve this batch.`,
    why: (f) => `Its totals need people of: ${f.roles}.`,
    fix: 'Have one of them approve: "bursar inbox" names who may.',
  }),
  APPROVALS_MISSING: entry<Readonly<{ batchId: string; missing: string }>>({
    category: 'operator',
    what: (f) => `Batch ${f.batchId} is not approved: ${f.missing}.`,
    why: 'The batch has all approvals that its policy asks for, and the store says that it has not. So it ended, and nothing was sent.',
    fix: (f) =>
      `Compare the clocks of the workers, and what "bursar audit ${f.batchId}" shows with the policy; then submit the file under another --id.`,
  }),
  HOLD_APPROVALS_MISSING: entry<Readonly<{ batchId: string; missing: string }>>({
    category: 'operator',
    what: (f) =>
      `Batch ${f.batchId} stays held: its store says that this is not approved: ${f.missing}.`,
    why: 'The store has the last word. It was brought back from an older copy, or an approval ran out just now.',
    fix: 'Have those approve whom "bursar inbox" names.',
  }),
  APPROVAL_IMPOSSIBLE: entry<Readonly<{ submittedBy: string; missing: string }>>({
    category: 'usage',
    what: (f) => `Nothing that ${f.submittedBy} submits here can be approved: ${f.missing}.`,
    why: 'A submitter does not count as an approver, and without them too few are left in the policy.',
    fix: 'Have somebody else submit the file, or name more people in approval.people.',
  }),
  APPROVAL_UNCONFIRMED: entry<Readonly<{ expected: string }>>({
    category: 'usage',
    what: 'The approval was not confirmed.',
    why: 'There is no terminal to ask at, and --confirm was not given.',
    fix: (f) => `Look at the totals, then add --confirm ${f.expected}.`,
  }),
  REFUSED_BY_APPROVER: entry<Readonly<{ by: string; reason: string }>>({
    category: 'said-no',
    what: (f) => `The batch was refused by ${f.by}: ${f.reason}.`,
    why: 'One refusal of an approver stops a batch, however many approve.',
    fix: 'Settle it with them. To pay the rows after all, submit the file under another --id.',
  }),
  REFUSAL_UNPROVEN: entry<Readonly<{ batchId: string }>>({
    category: 'operator',
    what: (f) => `Batch ${f.batchId} was ended for a refusal that is not in its store.`,
    why: 'A refusal counts when an approver has signed it. The store was brought back from an older copy, or another program called the worker.',
    fix: 'See who reaches Temporal (docs/security.md). To pay the rows, submit the file under another --id.',
  }),
  KEY_FILE_OPEN: entry<KeyFile & Readonly<{ mode: string }>>({
    category: 'usage',
    what: (f) => `The key file ${f.file} can be read by others (mode ${f.mode}).`,
    why: 'Whoever reads it can approve payments in your name.',
    fix: (f) => `Run: chmod 600 ${f.file}. If others may have read it, make a new key.`,
  }),
  KEY_FILE_UNREADABLE: entry<KeyFile & Readonly<{ reason: string }>>({
    category: 'usage',
    what: (f) => `The key file ${f.file} cannot be used (${f.reason}).`,
    why: 'Without a private key nothing can be signed.',
    fix: 'Give the file that "bursar keys new" made: an Ed25519 private key in PEM.',
  }),
  KEY_PASSPHRASE_MISSING: entry<KeyFile>({
    category: 'usage',
    what: (f) => `The key file ${f.file} is encrypted, and there is no passphrase for it.`,
    why: 'A passphrase is typed on a terminal, or read from a private file; never from a flag or a variable.',
    fix: 'Give the command on a terminal, or --passphrase-file FILE, of mode 0600.',
  }),
  KEY_PASSPHRASE_WRONG: entry<KeyFile>({
    category: 'auth',
    what: (f) => `The passphrase does not open the key file ${f.file}.`,
    why: 'The passphrase is another one, or the file was damaged.',
    fix: 'Run the command again with the right passphrase. Without it the key is lost: make a new one with "bursar keys new".',
  }),
  KEY_PASSPHRASE_DIFFERS: entry({
    category: 'said-no',
    what: () => 'The two passphrases are not the same.',
    why: 'A slip would make a key that no passphrase opens. No key was made.',
    fix: 'Run the command again.',
  }),
  KEY_FILE_UNWRITABLE: entry<KeyFile & Readonly<{ reason: string }>>({
    category: 'usage',
    what: (f) => `The key file ${f.file} cannot be made (${f.reason}).`,
    why: 'A key is written to a new file of its own, and never over another one.',
    fix: 'Choose another place with --out FILE.',
  }),
};
