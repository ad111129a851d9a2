import { randomUUID } from 'node:crypto';
import type { ReferenceName, ReferenceOperation } from '../request/reference.ts';
import type { MethodAndPath } from '../spec/endpoints.ts';
import { type Asker, METHOD_DEFAULT, type ProbeQuestion } from './asker.ts';
import type { ProbeAnswer } from './probe-answer.ts';

/** A mass payout of the account that exists. A read that returns it is proof. */
export type KnownPayout = {
  /** Id that the service gave it. */
  readonly id: string;
  /** The UUID that its creator chose. */
  readonly idempotencyKey?: string | undefined;
};

/** How a read names a mass payout: by which field, and whether it stands beside the timestamp. */
export type ReadForm = Readonly<{ name: ReferenceName; isFlat: boolean }>;

/** The name of a form, such as `flat id`. */
export type ReadFormName = ReferenceName | `flat ${ReferenceName}`;

export const formName = ({ name, isFlat }: ReadForm): ReadFormName =>
  isFlat ? `flat ${name}` : name;

/** The answer at a path where surely nothing is served. */
export const askNowhere = (asker: Asker): Promise<ProbeAnswer> =>
  asker.ask({
    operation: 'ACCOUNT',
    hasAccount: true,
    endpoint: { method: METHOD_DEFAULT, path: `/api/v1/bursar-probe-${randomUUID()}` },
  });

/** The reads of one operation to ask, in these forms. */
export type ReadsToAsk = Readonly<{
  operation: ReferenceOperation;
  endpoint?: MethodAndPath | undefined;
  hasAccount?: boolean;
  forms: readonly ReadForm[];
  /** Without one, each read names a random object. */
  known?: KnownPayout | undefined;
}>;

/** The answers to reads in several forms, and to surely wrong requests in the same. */
export type AskedReads = Readonly<{
  answers: Readonly<Partial<Record<ReadFormName, ProbeAnswer>>>;
  controls: readonly ProbeAnswer[];
}>;

/** A payload with a field that no operation has, and one without any. */
const WRONG_PAYLOADS = ['{"bursarProbe":"none"}', '{}'] as const;

/** Asks in each form, and surely wrong. At most two requests for each form. */
export async function askReads(asker: Asker, reads: ReadsToAsk): Promise<AskedReads> {
  const { operation, endpoint, hasAccount, forms, known } = reads;
  const base: ProbeQuestion = {
    operation,
    ...(endpoint && { endpoint }),
    ...(hasAccount !== undefined && { hasAccount }),
  };
  const controls: ProbeAnswer[] = [];
  for (const isFlat of new Set(forms.map((form) => form.isFlat))) {
    for (const payloadText of WRONG_PAYLOADS) {
      // Nothing stands beside the timestamp of an empty flat one.
      const isBare = isFlat && payloadText === '{}';
      controls.push(await asker.ask(isBare ? base : { ...base, isFlat, payloadText }));
    }
  }
  const answers: Partial<Record<ReadFormName, ProbeAnswer>> = {};
  for (const form of forms) {
    const reference = { [form.name]: known?.[form.name] ?? randomUUID() };
    const payloadText = JSON.stringify(reference);
    answers[formName(form)] = await asker.ask({ ...base, isFlat: form.isFlat, payloadText });
  }
  return { answers, controls };
}

/** Whether an answer is the record of a known mass payout, also where it is in `data`. */
export function isRecordOf(
  answer: ProbeAnswer | undefined,
  known: KnownPayout | undefined,
): boolean {
  if (answer?.kind !== 'value' || known === undefined) return false;
  const data = memberOf(answer.value, 'data');
  return [answer.value, data].some((record) => memberOf(record, 'id') === known.id);
}

/** A member of a parsed object; undefined for what is no object. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
