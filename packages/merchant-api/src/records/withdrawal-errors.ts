import { z } from 'zod';
import type { WireWithdrawalErrorStatus } from '../spec/states.ts';
import { isJsonObject } from '../json/json-value.ts';
import { compactJson } from './compact-json.ts';
import { recordId, text, yesOrNo } from './fields.ts';
import {
  inner,
  isEmpty,
  problemOf,
  readEntries,
  readFields,
  readValue,
  type AnswerPart,
} from './unreadable-parts.ts';

/** One problem of a withdrawal. Spec: "Mass payout record", `errors`. */
export type WithdrawalProblem = {
  /** Id of the problem: an integer as text. A text that is no integer is kept. */
  readonly id?: string;
  /** Status of the problem. The spec names only `SUCCESS`. */
  readonly status?: WireWithdrawalErrorStatus;
  /** Whether the problem is resolved. */
  readonly errorResolved?: boolean;
  /**
   * Text of the service about the problem; what is no text becomes compact JSON, cut to 1,000 characters. Text from outside:
   * escape it where you show it.
   */
  readonly errorMessage?: string;
};

/** The problems of one withdrawal of a mass payout. Spec: "Mass payout record", `errors`. */
export type WithdrawalErrors = {
  /** Id of the withdrawal. Never empty. */
  readonly withdrawalId: string;
  /** Its problems; empty when the service names none. */
  readonly errors: readonly WithdrawalProblem[];
  /** Present when the client cannot read whether these problems are resolved. `unreadableParts` has the reason. */
  readonly isResolutionUnreadable?: true;
};

const errorStatus: z.ZodType<WireWithdrawalErrorStatus> = text;

const PROBLEM = {
  id: z.union([text, recordId]).describe('an integer or text'),
  status: errorStatus,
  errorMessage: z.union([text, compactJson]).describe('free of names that come twice'),
};

/**
 * Reads the withdrawals that a mass payout names. `errors` may be absent, or empty in any form. An entry without an id is left out and
 * added to the parts: it may be about any withdrawal.
 */
export function readWithdrawalErrors(massPayout: AnswerPart): WithdrawalErrors[] {
  const errors = inner(massPayout, 'errors');
  if (errors.json === undefined || isEmpty(errors.json)) return [];
  if (isJsonObject(errors.json)) return readEntries(inner(errors, 'withdrawalErrors'), readEntry);
  errors.parts.add(errors.path, problemOf(errors.json, 'a record'));
  return [];
}

function readEntry(source: AnswerPart): WithdrawalErrors | undefined {
  const { json, path, parts } = source;
  if (!isJsonObject(json)) {
    parts.add(path, problemOf(json, 'a record'));
    return undefined;
  }
  const id = inner(source, 'withdrawalId');
  if (id.json === undefined) parts.add(id.path, problemOf(id.json, 'an id'));
  const withdrawalId = readValue(recordId, id);
  if (withdrawalId === undefined) return undefined;
  let isResolutionReadable = true;
  const list = inner(source, 'errors');
  if (!Array.isArray(list.json) && list.json !== undefined && !isEmpty(list.json)) {
    isResolutionReadable = false;
  }
  const errors = readEntries(list, (problem) => {
    const resolved = readResolved(problem);
    if (resolved === 'unreadable') isResolutionReadable = false;
    return isJsonObject(problem.json)
      ? { ...readFields(PROBLEM, problem), ...(resolved === 'unreadable' ? {} : resolved) }
      : undefined;
  });
  return {
    withdrawalId,
    errors,
    ...(isResolutionReadable ? {} : { isResolutionUnreadable: true }),
  };
}

type Resolved = Readonly<{ errorResolved?: boolean }>;

/** Reads whether a problem is resolved. */
function readResolved(problem: AnswerPart): Resolved | 'unreadable' {
  if (!isJsonObject(problem.json)) {
    problem.parts.add(problem.path, problemOf(problem.json, 'a record'));
    return 'unreadable';
  }
  const field = inner(problem, 'errorResolved');
  const errorResolved = readValue(yesOrNo, field);
  if (errorResolved !== undefined) return { errorResolved };
  return field.json === undefined ? {} : 'unreadable';
}
