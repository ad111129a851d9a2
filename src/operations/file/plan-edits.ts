import { isObject } from '../../domain/json/is-object.ts';
import { chosenPartsOf } from '../../domain/plan/digest.ts';
import { PART_NAMES } from '../../domain/plan/expected-plan.ts';
import type { PlanFile } from './plan-schema.ts';
import type { PlanView } from './plan-view.ts';

/**
 * Parts of a plan file that are notes: the name and path of the file, the answers of the service at that time, and the
 * problems. A submit takes none of them from the plan file.
 */
const NOTES = ['funds', 'nack', 'toCorrect', 'problems', 'historyRead', 'file.name', 'file.path'];

/** The text of an example may name the present state of another batch. */
const EXAMPLE_DETAIL = /^findings\.\d+\.examples\.\d+\.detail$/;

/** Characters of a value that an error quotes. */
const QUOTE_CHARS_MAX = 80;

/**
 * The first choice in the plan file that its digest does not confirm; undefined when there is none. The plan of now is
 * made with these choices, so it cannot show the difference.
 */
export function choiceEditOf({ batchId, choices, parts }: PlanFile): string | undefined {
  const chosen = chosenPartsOf({ batchId, generation: 0, options: choices });
  const changed = (Object.keys(chosen) as (keyof typeof chosen)[]).find(
    (part) => chosen[part] !== parts[part],
  );
  return changed && `its digest does not stand for ${PART_NAMES[changed]} that it shows`;
}

/**
 * The first value in a plan file that its digest does not confirm; undefined when there is none. `view` is the plan of
 * now, with the same digest.
 */
export const editOf = (written: unknown, view: PlanView): string | undefined =>
  difference(written, JSON.parse(JSON.stringify(view)), []);

type Path = readonly string[];

function difference(written: unknown, meant: unknown, path: Path): string | undefined {
  const name = path.join('.');
  if (NOTES.includes(name) || EXAMPLE_DETAIL.test(name)) return undefined;
  if (!isObject(written) || !isObject(meant) || Array.isArray(written) !== Array.isArray(meant)) {
    return written === meant ? undefined : `${name} is ${quoted(written)} and was ${quoted(meant)}`;
  }
  for (const member of new Set([...Object.keys(written), ...Object.keys(meant)])) {
    const found = difference(own(written, member), own(meant, member), [...path, member]);
    if (found !== undefined) return found;
  }
  return undefined;
}

const own = (object: Readonly<Record<string, unknown>>, member: string): unknown =>
  Object.hasOwn(object, member) ? object[member] : undefined;

const quoted = (value: unknown): string =>
  value === undefined ? 'missing' : JSON.stringify(value).slice(0, QUOTE_CHARS_MAX);
