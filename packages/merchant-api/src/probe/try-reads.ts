import { randomUUID } from 'node:crypto';
import type { MerchantClientOptions } from '../options.ts';
import {
  MASS_GET_FORMS,
  type ReferenceName,
  type ReferenceOperation,
} from '../request/reference.ts';
import { type Asker, createAsker, METHOD_DEFAULT, type ProbePace, type Question } from './asker.ts';
import { judgeAnswers, type Verdict } from './judge-answers.ts';
import { type ProbeAnswer, wordsOf } from './probe-answer.ts';

/** A way to read a mass payout, and whether the service understood it. */
export type ReadTrial = {
  readonly operation: ReferenceOperation;
  /** The field by which the request named the mass payout. */
  readonly name: ReferenceName;
  readonly verdict: Verdict;
  /** Whether this read and the surely wrong requests beside it got whole answers. Without them the verdict shows nothing. */
  readonly hasAnswer: boolean;
  /** Status, code and message of the answer. Text from outside: escape it where you show it. */
  readonly answer: string;
};

/**
 * Tries in which ways the service understands a read of a mass payout, in the endpoints and the shapes of the options:
 * MASS_GET and LOOKUP, by id and by key, as far as the options have them. Each read names a random object, and is held
 * against surely wrong requests. At most 9 requests, without repetitions; none creates anything.
 *
 * An answer that shows no more than a surely wrong request is `unclear`, or `not-understood` where another way of the
 * same operation is understood.
 *
 * @throws MerchantApiError when it was aborted; TypeError for wrong options.
 * @example
 * const trials = await tryReads(options);
 * const canRead = trials.some(({ verdict }) => verdict === 'understood');
 */
export async function tryReads(
  options: MerchantClientOptions,
  pace?: ProbePace,
): Promise<readonly ReadTrial[]> {
  const asker = createAsker(options, pace);
  try {
    const pathControl = await askNowhere(asker);
    return [
      ...(await tryReadsBy(asker, 'MASS_GET', pathControl)),
      ...(await tryReadsBy(asker, 'LOOKUP', pathControl)),
    ];
  } finally {
    await asker.close();
  }
}

/** The answer at a path where surely nothing is served. Its account and its time are as in a read of the balance. */
export const askNowhere = (asker: Asker, more: Partial<Question> = {}): Promise<ProbeAnswer> =>
  asker.ask({
    ...more,
    operation: 'ACCOUNT',
    endpoint: { method: METHOD_DEFAULT, path: `/api/v1/bursar-probe-${randomUUID()}` },
  });

/** A payload with a field that no operation has, and one without any. */
export const WRONG_PAYLOADS = ['{"bursarProbe":"none"}', '{}'] as const;

async function tryReadsBy(
  asker: Asker,
  operation: ReferenceOperation,
  pathControl: ProbeAnswer,
): Promise<readonly ReadTrial[]> {
  const { endpoints, shapes } = asker.settings;
  if (endpoints[operation] === undefined) return [];
  const { takes, isFlat } =
    MASS_GET_FORMS[operation === 'MASS_GET' ? shapes.massGetAccepts : 'reference'];
  const controls = await askWrongly(asker, { operation, isFlat });
  const answers = new Map<ReferenceName, ProbeAnswer>();
  for (const name of takes)
    answers.set(name, await asker.ask(referenceTo(operation, name, isFlat)));
  const verdicts = judgeAnswers({ answers: Object.fromEntries(answers), controls, pathControl });
  return [...answers].map(([name, answer]) => ({
    operation,
    name,
    verdict: verdicts[name] ?? 'unclear',
    hasAnswer: [answer, ...controls].every(({ kind }) => kind !== 'none'),
    answer: wordsOf(answer),
  }));
}

/** A read of one random object. */
const referenceTo = (
  operation: ReferenceOperation,
  name: ReferenceName,
  isFlat: boolean,
): Question => ({ operation, isFlat, payloadText: JSON.stringify({ [name]: randomUUID() }) });

/** The answers to questions that no operation understands. A flat one without a field has no payload. */
export async function askWrongly(
  asker: Asker,
  question: Question,
): Promise<readonly ProbeAnswer[]> {
  const answers: ProbeAnswer[] = [];
  for (const payloadText of WRONG_PAYLOADS) {
    const isEmpty = question.isFlat === true && payloadText === '{}';
    answers.push(await asker.ask(isEmpty ? question : { ...question, payloadText }));
  }
  return answers;
}
