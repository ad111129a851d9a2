import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { ApprovalPolicy, Person, Tier } from '../../src/domain/approval/policy.ts';
import type { Question } from '../../src/domain/approval/question.ts';
import {
  type Approval,
  type ApprovalStatement,
  statementText,
} from '../../src/domain/approval/statement.ts';
import type { ApprovalRule } from '../../src/domain/plan/rules.ts';
import type { Store } from '../../src/store/index.ts';
import { writableDb } from '../../src/store/database/writable.ts';

/** Bytes before the 32 bytes of a private Ed25519 key in PKCS#8 (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The private key of a name; the same name has the same key in every test. */
export function keyOf(name: string): KeyObject {
  const seed = createHash('sha256').update(`key of ${name}`).digest();
  return createPrivateKey({
    key: Buffer.concat([PKCS8_HEAD, seed]),
    format: 'der',
    type: 'pkcs8',
  });
}

export function publicKeyOf(name: string): string {
  const { x = '' } = createPublicKey(keyOf(name)).export({ format: 'jwk' });
  return `ed25519:${Buffer.from(x, 'base64url').toString('base64')}`;
}

export const signed = (statement: ApprovalStatement, signer = statement.person): Approval => ({
  ...statement,
  signature: sign(null, Buffer.from(statementText(statement)), keyOf(signer)).toString('base64'),
});

export const person = (name: string, roles: readonly string[] = [], more: Partial<Person> = {}) =>
  ({ name, publicKey: publicKeyOf(name), roles, users: [], ...more }) satisfies Person;

export const tier = (approvals: number, more: Partial<Tier> = {}): Tier => ({
  currency: null,
  above: '0',
  approvals,
  roles: [],
  mustInclude: [],
  ...more,
});

export const DAY_MS = 86_400_000;
export const NOW_MS = Date.parse('2026-11-21T09:00:00.000Z');
export const isoOf = (ms: number): string => new Date(ms).toISOString();

/** Two of finance, of whom alice usually submits. */
export const policyOf = (more: Partial<ApprovalPolicy> = {}): ApprovalPolicy => ({
  mode: 'signed',
  expiresAfterMs: 3 * DAY_MS,
  tiers: [tier(2, { roles: ['finance'] })],
  people: [
    person('alice', ['finance'], { users: ['alice-at-work'] }),
    person('bob', ['finance']),
    person('carol', ['finance', 'cfo']),
    person('dave', ['it']),
  ],
  ...more,
});

export const SUBJECT = `sha256:${'d'.repeat(64)}`;

export const question = (more: Partial<Question> = {}): Question => ({
  policy: policyOf(),
  totals: [{ currency: 'USDT_TRC20', total: '1000' }],
  batchId: 'payroll',
  subject: SUBJECT,
  submittedBy: 'alice',
  ...more,
});

/** An approval that lacks nothing, with what is peculiar to a test. */
export const approvalBy = (name: string, more: Partial<ApprovalStatement> = {}): Approval =>
  signed({
    batchId: 'payroll',
    subject: SUBJECT,
    decision: 'approve',
    person: name,
    reason: '',
    issuedAt: isoOf(NOW_MS),
    expiresAt: isoOf(NOW_MS + DAY_MS),
    ...more,
  });

/** Gives a planned batch of a store a policy, as if its plan were older than signed submissions. */
export const setPolicy = async (
  store: Store,
  batchId: string,
  approval: ApprovalPolicy | null,
): Promise<void> => {
  const rules = { approval } satisfies ApprovalRule;
  await writableDb(store)
    .updateTable('batch')
    .set({ rules_json: JSON.stringify(rules), planned_at_ms: null })
    .where('batch_id', '=', batchId)
    .execute();
};
