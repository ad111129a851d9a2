import type { ReferenceOperation } from '../request/reference.ts';
import { type MethodAndPath, readEndpoint } from '../spec/endpoints.ts';
import {
  type AskedReads,
  askReads,
  isRecordOf,
  type KnownPayout,
  type ReadForm,
  type ReadFormName,
} from './ask-reads.ts';
import type { Asker } from './asker.ts';
import { carryingIn } from './choose-shapes.ts';
import { isServed, judgeAnswers, type Verdict } from './judge-answers.ts';
import { OTHER_PATHS } from './other-paths.ts';
import { isForbidden, type ProbeAnswer, wordsOf } from './probe-answer.ts';

/** How an operation reads a mass payout, as far as its answers show it. */
export type FoundReads = Readonly<{
  served: boolean | undefined;
  isForbidden?: true;
  /** Whether requests carry `account`; undefined where none was understood. */
  hasAccount?: boolean;
  /** In place of the endpoint of the operation. */
  endpoint?: MethodAndPath;
  verdicts: Readonly<Partial<Record<ReadFormName, Verdict>>>;
  /** Forms that returned the known mass payout. */
  found: readonly ReadFormName[];
  /** The best answer. */
  words: string;
}>;

export type ReadsToFind = Readonly<{
  operation: ReferenceOperation;
  pathControl: ProbeAnswer;
  known: KnownPayout | undefined;
  /** Whether an operation that was found before carries `account`. */
  hasAccount?: boolean | undefined;
}>;

const NAMES = ['id', 'idempotencyKey'] as const;

/** The spec shows the payload of a lookup, and no request of MASS_GET. Spec: "Generic lookup". */
const FORMS: Readonly<Record<ReferenceOperation, readonly ReadForm[]>> = {
  MASS_GET: [false, true].flatMap((isFlat) => NAMES.map((name) => ({ name, isFlat }))),
  LOOKUP: NAMES.map((name) => ({ name, isFlat: false })),
};

/** Finds out how an operation reads a mass payout: in which form, with or without `account`, and at which path. */
export async function findReads(asker: Asker, reads: ReadsToFind): Promise<FoundReads> {
  const atItsPath = await findReadsAt(asker, reads, undefined);
  if (atItsPath.served !== false || reads.operation !== 'LOOKUP') return atItsPath;
  for (const path of OTHER_PATHS.LOOKUP) {
    const endpoint = readEndpoint(path);
    const hasAccount = reads.hasAccount ?? true;
    const [form] = FORMS.LOOKUP as [ReadForm];
    const forms = [form];
    const { answers, controls } = await askReads(asker, {
      operation: 'LOOKUP',
      endpoint,
      hasAccount,
      forms,
    });
    const all = [...Object.values(answers), ...controls];
    if (isServed(all, reads.pathControl) !== true) continue;
    const found = await findReadsAt(asker, reads, endpoint);
    if (Object.values(found.verdicts).includes('understood')) return found;
  }
  return atItsPath;
}

async function findReadsAt(
  asker: Asker,
  reads: ReadsToFind,
  endpoint: MethodAndPath | undefined,
): Promise<FoundReads> {
  const { operation, pathControl, known } = reads;
  const byShapes = carryingIn(asker.settings.shapes.accountIn).includes(operation);
  const first = reads.hasAccount ?? byShapes;
  const forms = FORMS[operation];
  const all: ProbeAnswer[] = [];
  for (const hasAccount of [first, !first]) {
    const asked = { operation, endpoint, hasAccount, forms, known };
    const { answers, controls } = await askReads(asker, asked);
    all.push(...Object.values(answers), ...controls);
    const namesExisting = known?.idempotencyKey !== undefined;
    const verdicts = judgeAnswers({ answers, controls, pathControl, namesExisting });
    const found = namesOf(answers).filter((name) => isRecordOf(answers[name], known));
    for (const name of found) verdicts[name] = 'understood';
    const best = found[0] ?? namesOf(answers).find((name) => verdicts[name] === 'understood');
    const isThere = isServed(all, pathControl) !== false;
    if (best === undefined || !isThere) continue;
    const words = `${best}: ${wordsOf(answers[best] as ProbeAnswer)}`;
    return { served: true, hasAccount, ...(endpoint && { endpoint }), verdicts, found, words };
  }
  const none = { verdicts: {}, found: [], words: wordsOf(all[0] as ProbeAnswer) };
  if (isForbidden(all, pathControl)) return { served: undefined, isForbidden: true, ...none };
  return { served: isServed(all, pathControl), ...none };
}

const namesOf = (answers: AskedReads['answers']): ReadFormName[] =>
  Object.keys(answers) as ReadFormName[];
