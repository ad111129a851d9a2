import { isObject } from '../json/is-object.ts';
import { instantMs } from './instant.ts';

/**
 * Everything that a person can sign. `approve`, `refuse`: a plan, or a hold of it. `submit`: a batch, a schedule, or a run of a
 * schedule. `adopt`, `not-created`, `abandon`: an answer for one chunk. `store-older`: the store is an older copy of itself.
 */
export const DECISIONS = [
  'approve',
  'refuse',
  'submit',
  'adopt',
  'not-created',
  'abandon',
  'store-older',
] as const;

export type ApprovalDecision = (typeof DECISIONS)[number];

/** A decision of one person about one subject. Instants are ISO 8601 in UTC. */
export type ApprovalStatement = Readonly<{
  /** The batch; for a schedule or the store, a name that no batch can have. */
  batchId: string;
  /** The subject of the decision, as a hash: the digest of the plan, a hold of it, a submission, an answer. */
  subject: string;
  decision: ApprovalDecision;
  /** Name of a person of the policy. */
  person: string;
  reason: string;
  issuedAt: string;
  expiresAt: string;
}>;

/**
 * `signature` is over the text of the statement: 64 bytes in base64, or as `passkeySignature` writes it. null where
 * approvals are unsigned.
 */
export type Approval = ApprovalStatement & Readonly<{ signature: string | null }>;

/** Characters of a reason. */
export const REASON_LENGTH_MAX = 500;
/** Characters of a batch id, a digest, a name or an instant. */
export const FIELD_LENGTH_MAX = 100;
/** Characters of a signature. One by a key file has 88, one by a passkey about 500, which grow with the address of the web app. */
export const SIGNATURE_LENGTH_MAX = 1_500;

/**
 * The text that is signed: a line for the version, then one for each field. Values are written as JSON, so that none of
 * them can hold a line end and pass for another field.
 */
export const statementText = (statement: ApprovalStatement): string =>
  [
    'bursar-approval/v1',
    `batch ${JSON.stringify(statement.batchId)}`,
    `subject ${JSON.stringify(statement.subject)}`,
    `decision ${JSON.stringify(statement.decision)}`,
    `person ${JSON.stringify(statement.person)}`,
    `reason ${JSON.stringify(statement.reason)}`,
    `issued ${JSON.stringify(statement.issuedAt)}`,
    `expires ${JSON.stringify(statement.expiresAt)}`,
  ].join('\n');

/** An approval from any program, or the name of the first field that is not valid. */
export function readApproval(given: unknown): Approval | string {
  const values = new Map(Object.entries(isObject(given) ? given : {}));
  const wrong = FIELDS.find(([name, isSound]) => !isSound(values.get(name)));
  return wrong === undefined
    ? (Object.fromEntries(FIELDS.map(([name]) => [name, values.get(name)])) as Approval)
    : wrong[0];
}

const isShort = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && value.length <= FIELD_LENGTH_MAX;

const isSignatureText = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && value.length <= SIGNATURE_LENGTH_MAX;

const isInstant = (value: unknown): boolean =>
  typeof value === 'string' && isShort(value) && instantMs(value) !== undefined;

const isReason = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= REASON_LENGTH_MAX;

const FIELDS: readonly (readonly [name: keyof Approval, isSound: (value: unknown) => boolean])[] = [
  ['batchId', isShort],
  ['subject', isShort],
  ['decision', (value) => DECISIONS.some((decision) => decision === value)],
  ['person', isShort],
  ['reason', isReason],
  ['issuedAt', isInstant],
  ['expiresAt', isInstant],
  ['signature', (value) => value === null || isSignatureText(value)],
];
