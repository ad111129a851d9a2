import { type Operation, OPERATIONS } from '../spec/endpoints.ts';
import { ACCOUNT_OPERATIONS, DEFAULT_SHAPES, SHAPES, type Shapes } from '../spec/shapes.ts';
import { memberOf, type ReadFormName } from './ask-reads.ts';
import type { Verdict } from './judge-answers.ts';
import type { ProbeAnswer } from './probe-answer.ts';

/**
 * The shape in which MASS_GET was understood; undefined when none was. A form whose answer is unclear stays in it: the engine
 * believes a read only once it has found something.
 */
export function chooseMassGet(
  verdicts: Readonly<Partial<Record<ReadFormName, Verdict>>>,
): Shapes['massGetAccepts'] | undefined {
  const ofPayload = [verdicts.id, verdicts.idempotencyKey];
  const ofFlat = [verdicts['flat id'], verdicts['flat idempotencyKey']];
  const [id, key] = ofPayload.includes('understood') ? ofPayload : ofFlat;
  if (id !== 'understood' && key !== 'understood') return undefined;
  const isFlat = !ofPayload.includes('understood');
  if (key === 'not-understood') return isFlat ? 'flat-id-only' : 'id-only';
  if (id === 'not-understood') return isFlat ? 'flat-key-only' : 'key-only';
  return isFlat ? 'flat' : 'reference';
}

/**
 * Which operations carry `account`, by those of which it is known. The present choice stays where it agrees, then comes
 * one of the named ones, then a list.
 * ASSUMED: a create carries it where MASS_GET does. A probe never tries a create.
 */
export function chooseAccountIn(
  carried: ReadonlyMap<Operation, boolean>,
  present: Shapes['accountIn'],
): Shapes['accountIn'] {
  const agrees = (choice: Shapes['accountIn']): boolean => {
    const operations = carryingIn(choice);
    return [...carried].every(([operation, carries]) => operations.includes(operation) === carries);
  };
  const named = [present, ...SHAPES.accountIn].find(agrees);
  if (named !== undefined) return named;
  const byDefault = carryingIn(DEFAULT_SHAPES.accountIn);
  return OPERATIONS.filter((operation) => {
    const like = operation === 'MASS_CREATE' ? 'MASS_GET' : operation;
    return carried.get(like) ?? byDefault.includes(operation);
  });
}

/** The operations that carry `account` by a choice. */
export const carryingIn = (choice: Shapes['accountIn']): readonly Operation[] =>
  typeof choice === 'string' ? ACCOUNT_OPERATIONS[choice] : choice;

/**
 * The number of the first page, by the answers for the pages 0 and 1 of one object each; undefined when they do not show it.
 * A service that counts from 1 refuses page 0, or answers it as page 1.
 */
export function choosePageBase(
  pages: Readonly<Record<'zero' | 'one', ProbeAnswer>>,
): Shapes['pageBase'] | undefined {
  const { zero, one } = pages;
  if (zero.kind === 'none' || one.kind === 'none') return undefined;
  if (zero.kind === 'refused') return one.kind === 'value' ? 'one' : undefined;
  const first = objectsOf(zero);
  if (first === '[]') return undefined;
  return one.kind === 'value' && objectsOf(one) === first ? 'one' : 'zero';
}

/** The objects of a page, as text. */
const objectsOf = ({ value }: Extract<ProbeAnswer, { kind: 'value' }>): string =>
  JSON.stringify(memberOf(value, 'result') ?? memberOf(memberOf(value, 'data'), 'result') ?? []);
