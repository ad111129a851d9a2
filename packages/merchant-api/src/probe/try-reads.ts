import type { MerchantClientOptions } from '../options.ts';
import {
  MASS_GET_FORMS,
  type ReferenceName,
  type ReferenceOperation,
} from '../request/reference.ts';
import { askNowhere, askReads, formName, isRecordOf, type KnownPayout } from './ask-reads.ts';
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
  /** Whether the answer is the record of the known mass payout. */
  readonly hasFound: boolean;
  /** Status, code and message of the answer. Text from outside: escape it where you show it. */
  readonly answer: string;
};

/** The pace of trials, and a mass payout that exists. */
export type ReadTrialChoices = ProbePace & {
  /** The reads name this mass payout, and not a random object. */
  readonly known?: KnownPayout;
};

/**
 * Tries in which ways the service understands a read of a mass payout, in the endpoints and the shapes of the options:
 * MASS_GET and LOOKUP, by id and by key, as far as the options have them. Each read names a random object, or the known mass
 * payout, and is held against surely wrong requests. At most 9 requests, without repetitions; none creates anything.
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
  { known, ...pace }: ReadTrialChoices = {},
): Promise<readonly ReadTrial[]> {
  const asker = createAsker(options, pace);
  try {
    const others = { pathControl: await askNowhere(asker), known };
    return [
      ...(await tryReadsBy(asker, 'MASS_GET', others)),
      ...(await tryReadsBy(asker, 'LOOKUP', others)),
    ];
  } finally {
    await asker.close();
  }
}

async function tryReadsBy(
  asker: Asker,
  operation: ReferenceOperation,
  { pathControl, known }: Readonly<{ pathControl: ProbeAnswer; known: KnownPayout | undefined }>,
): Promise<readonly ReadTrial[]> {
  const { endpoints, shapes } = asker.settings;
  if (endpoints[operation] === undefined) return [];
  const shape = operation === 'MASS_GET' ? shapes.massGetAccepts : 'reference';
  const { takes, isFlat } = MASS_GET_FORMS[shape];
  const forms = takes.map((name) => ({ name, isFlat }));
  const namesExisting = known?.idempotencyKey !== undefined;
  const { answers, controls } = await askReads(asker, { operation, forms, known });
  const verdicts = judgeAnswers({ answers, controls, pathControl, namesExisting });
  return forms.map((form) => {
    const answer = answers[formName(form)];
    return {
      operation,
      name: form.name,
      verdict: verdicts[formName(form)] ?? 'unclear',
      hasAnswer: [answer, ...controls].every((one) => one !== undefined && one.kind !== 'none'),
      hasFound: isRecordOf(answer, known),
      answer: answer === undefined ? '' : wordsOf(answer),
    };
  });
}
