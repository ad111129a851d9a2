import { sentenceOf } from '../text/sentence.ts';
import { entry } from './entry.ts';

type ByPerson = Readonly<{ person: string }>;
type KeyFile = Readonly<{ file: string }>;

/** Errors of approvals and refusals that do not count, and of the keys that sign them. */
export const APPROVAL_ERRORS = {
  APPROVAL_NOT_NEEDED: entry({
    category: 'usage',
    what: 'The batch does not wait for an approval.',
    why: 'Its policy requires none, it is approved already, or it has no plan yet.',
    fix: '"bursar status" shows what it waits for. "bursar resume" ends a pause, and "bursar cancel" stops the batch.',
  }),
  APPROVAL_UNREADABLE: entry<Readonly<{ field: string }>>({
    category: 'usage',
    what: (f) => `The approval cannot be read: its ${f.field} is missing or invalid.`,
    why: 'An approval counts only with all its fields.',
    fix: 'Approve with "bursar approve" of the version that the worker has.',
  }),
  APPROVAL_FOR_ANOTHER: entry<Readonly<{ given: string; expected: string; batchId: string }>>({
    category: 'usage',
    what: (f) => `The approval is for ${f.given}; batch ${f.batchId} waits for ${f.expected}.`,
    why: 'An approval is valid for exactly what its person saw. After any change it is invalid.',
    fix: (f) => `Look at the batch as it is now, then: bursar approve ${f.batchId}`,
  }),
  APPROVAL_FORGED: entry<ByPerson>({
    category: 'auth',
    what: (f) => `The signature of this approval is not that of ${f.person}.`,
    why: 'Only the owner of the key that the policy names can sign for a person. The signature covers every field.',
    fix: 'Sign with the key of that person (--key). Or have the policy name the new public key for later plans.',
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
    why: 'The command calls the service directly. There is no plan that people could approve, and no record of it.',
    fix: 'Put the recipients in a file and run: bursar submit FILE. The people of the policy then approve the batch.',
  }),
  APPROVAL_EXPIRED: entry<Readonly<{ expiresAt: string; now: string }>>({
    category: 'usage',
    what: (f) => `The approval expired at ${f.expiresAt} (it is ${f.now}).`,
    why: 'The batch may have been right to pay then, and wrong now.',
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
    what: (f) => `The approval would be valid for longer than ${f.allowed}.`,
    why: 'The policy of the plan limits how long approvals are valid (approval.expires_after_ms).',
    fix: 'Approve with "bursar approve", which uses the time of the policy.',
  }),
  APPROVAL_REPEATED: entry<ByPerson & Readonly<{ batchId: string; at: string }>>({
    category: 'usage',
    what: (f) => `${f.person} decided on this already, at ${f.at}.`,
    why: 'One person counts once, also under several names. A refusal cannot be withdrawn.',
    fix: (f) =>
      `Another person must approve: "bursar inbox" shows who may. Batch ${f.batchId} keeps its approvals.`,
  }),
  APPROVAL_BY_SUBMITTER: entry<ByPerson & Readonly<{ submittedBy: string; batchId: string }>>({
    category: 'auth',
    what: (f) => `${f.person} submitted batch ${f.batchId} (as ${f.submittedBy}).`,
    why: 'A submitter cannot approve or refuse their own payment: two people must check it.',
    fix: (f) =>
      `Have another person approve it. To stop your own batch: bursar cancel ${f.batchId}`,
  }),
  APPROVER_UNKNOWN: entry<ByPerson>({
    category: 'auth',
    what: (f) => `The policy of this plan has no approver "${f.person}".`,
    why: 'Only people of approval.people count, by the settings of the worker at the time of the plan.',
    fix: 'Approve as one of them (--as NAME, --key FILE). Or add the person to the settings for later plans.',
  }),
  APPROVER_NOT_ENTITLED: entry<ByPerson & Readonly<{ roles: string }>>({
    category: 'auth',
    what: (f) => `${f.person} may not approve this batch.`,
    why: (f) => `Its totals need people of: ${f.roles}.`,
    fix: 'Have one of them approve: "bursar inbox" shows who may.',
  }),
  APPROVALS_MISSING: entry<Readonly<{ batchId: string; missing: string }>>({
    category: 'operator',
    what: (f) => `Batch ${f.batchId} is not approved: ${f.missing}.`,
    why: 'The workflow has all approvals that the policy requires, and the store does not. So the batch ended, and nothing was sent.',
    fix: (f) =>
      `Compare the clocks of the workers, and "bursar audit ${f.batchId}" with the policy. Then submit the file under another --id.`,
  }),
  HOLD_APPROVALS_MISSING: entry<Readonly<{ batchId: string; missing: string }>>({
    category: 'operator',
    what: (f) =>
      `Batch ${f.batchId} stays on hold. By its store this is not approved: ${f.missing}.`,
    why: 'The store decides. It is an older copy, or an approval has just expired.',
    fix: 'Have the people approve whom "bursar inbox" shows.',
  }),
  APPROVAL_IMPOSSIBLE: entry<Readonly<{ submittedBy: string; missing: string }>>({
    category: 'usage',
    what: (f) => `Nothing that ${f.submittedBy} submits here can be approved: ${f.missing}.`,
    why: 'A submitter does not count as an approver. Without them the policy has too few people.',
    fix: 'Have another person submit the file, or add people to approval.people.',
  }),
  APPROVAL_UNCONFIRMED: entry<Readonly<{ expected: string }>>({
    category: 'usage',
    what: 'The approval was not confirmed.',
    why: 'There is no terminal for the question, and --confirm was not given.',
    fix: (f) => `Look at the totals, then add --confirm ${f.expected}.`,
  }),
  REFUSED_BY_APPROVER: entry<Readonly<{ by: string; reason: string }>>({
    category: 'said-no',
    what: (f) => `The batch was refused by ${f.by}: ${sentenceOf(f.reason)}`,
    why: 'One refusal stops a batch, also when other people approve it.',
    fix: 'Talk to them. To pay the rows all the same, submit the file under another --id.',
  }),
  REFUSAL_UNPROVEN: entry<Readonly<{ batchId: string }>>({
    category: 'operator',
    what: (f) => `Batch ${f.batchId} was ended for a refusal that is not in its store.`,
    why: 'A refusal counts when an approver has signed it. The store is an older copy, or another program called the worker.',
    fix: 'Find out who can reach Temporal (docs/security.md). To pay the rows, submit the file under another --id.',
  }),
  KEY_FILE_OPEN: entry<KeyFile & Readonly<{ mode: string }>>({
    category: 'usage',
    what: (f) => `The key file ${f.file} can be read by others (mode ${f.mode}).`,
    why: 'Anyone who reads it can approve payments in your name.',
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
    why: 'You type a passphrase on a terminal, or a private file has it. Flags and variables never have it.',
    fix: 'Run the command on a terminal, or give --passphrase-file FILE, of mode 0600.',
  }),
  KEY_PASSPHRASE_WRONG: entry<KeyFile>({
    category: 'auth',
    what: (f) => `The passphrase does not open the key file ${f.file}.`,
    why: 'The passphrase is another one, or the file was damaged.',
    fix: 'Run the command again with the right passphrase. Without it the key is lost. Make a new one with "bursar keys new".',
  }),
  KEY_PASSPHRASE_DIFFERS: entry({
    category: 'said-no',
    what: () => 'The two passphrases are not the same.',
    why: 'With a typing mistake no passphrase would open the key. No key was made.',
    fix: 'Run the command again.',
  }),
  KEY_FILE_UNWRITABLE: entry<KeyFile & Readonly<{ reason: string }>>({
    category: 'usage',
    what: (f) => `The key file ${f.file} cannot be made (${f.reason}).`,
    why: 'A key is written to a new file. No file is overwritten.',
    fix: 'Choose another place with --out FILE.',
  }),
};
