import { z } from 'zod';
import { readJson } from '../json/read-json.ts';
import { Unreadable } from './unreadable.ts';

const textOrNothing = z.string().optional().catch(undefined);

const ErrorBodyFields = z
  .object({ traceId: textOrNothing, errorCode: textOrNothing, message: textOrNothing })
  .catch({});

/**
 * What can be read of an error body; a member that is no text counts as absent. Spec: "Error body".
 */
export type ErrorBody = z.infer<typeof ErrorBodyFields>;

/** Reads what it can of a parsed body. */
export const readErrorFields = (json: unknown): ErrorBody => ErrorBodyFields.parse(json);

/** Documented means: all three texts are there. Spec: "Errors" 1. */
export function isDocumented({ traceId, errorCode, message }: ErrorBody): boolean {
  return traceId !== undefined && errorCode !== undefined && message !== undefined;
}

/**
 * Like `readErrorFields`, for the body of a refusal; any body will do, since the status says
 * enough.
 */
export function readErrorBody(bytes: Uint8Array | undefined): ErrorBody {
  if (bytes === undefined) return {};
  try {
    return readErrorFields(readJson(bytes));
  } catch (error) {
    if (error instanceof Unreadable) return {};
    throw error;
  }
}
