import type { MerchantClientOptions } from '../options.ts';
import {
  MASS_GET_FORMS,
  type ReferenceName,
  type ReferenceOperation,
} from '../request/reference.ts';
import { askNowhere, askReads, formName } from './ask-reads.ts';
import { type Asker, createAsker, type ProbePace } from './asker.ts';
import { judgeAnswers, type Verdict } from './judge-answers.ts';
import { type ProbeAnswer, wordsOf } from './probe-answer.ts';

/** A way to read a mass payout, and whether the service understood it. */
export type ReadTrial = {
  /** The operation that was called. */
  readonly operation: ReferenceOperation;
  /** The field by which the request named the mass payout. */
  readonly name: ReferenceName;
  /** Whether the service understood the read. */
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
 * An answer that shows no more than that to a surely wrong request is `unclear`, or `not-understood` where another way
 * of the same operation is understood. Spec: "Endpoints", "Errors".
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

async function tryReadsBy(
  asker: Asker,
  operation: ReferenceOperation,
  pathControl: ProbeAnswer,
): Promise<readonly ReadTrial[]> {
  const { endpoints, shapes } = asker.settings;
  if (endpoints[operation] === undefined) return [];
  const shape = operation === 'MASS_GET' ? shapes.massGetAccepts : 'reference';
  const { takes, isFlat } = MASS_GET_FORMS[shape];
  const forms = takes.map((name) => ({ name, isFlat }));
  const { answers, controls } = await askReads(asker, { operation, forms });
  const verdicts = judgeAnswers({ answers, controls, pathControl });
  return forms.map((form) => {
    const answer = answers[formName(form)];
    return {
      operation,
      name: form.name,
      verdict: verdicts[formName(form)] ?? 'unclear',
      hasAnswer: [answer, ...controls].every((one) => one !== undefined && one.kind !== 'none'),
      answer: answer === undefined ? '' : wordsOf(answer),
    };
  });
}
