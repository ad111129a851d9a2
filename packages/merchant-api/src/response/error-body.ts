import { z } from 'zod';
import { readJson } from '../json/read-json.ts';
import { findSecretKeys } from './secret-keys.ts';
import { Unreadable } from './unreadable.ts';

const textOrNothing = z.string().optional().catch(undefined);

const ErrorBodyFields = z
  .object({ traceId: textOrNothing, errorCode: textOrNothing, message: textOrNothing })
  .catch({});

/**
 * What can be read of an error body; a member that is no text counts as absent. Spec: "Error body".
 */
export type ErrorBody = z.infer<typeof ErrorBodyFields> &
  Readonly<{
    /** Secret keys that stand in the same body: the texts above could quote them. */
    secretKeys: readonly string[];
  }>;

export const EMPTY_ERROR_BODY: ErrorBody = { secretKeys: [] };

/** Reads what it can of a parsed body. */
export function readErrorFields(json: unknown): ErrorBody {
  const fields = ErrorBodyFields.parse(json);
  const hasText = Object.values(fields).some((text) => text !== undefined);
  return { ...fields, secretKeys: hasText ? findSecretKeys(json) : [] };
}

/** Documented means: all three texts are there. Spec: "Errors" 1. */
export function isDocumented({ traceId, errorCode, message }: ErrorBody): boolean {
  return traceId !== undefined && errorCode !== undefined && message !== undefined;
}

/**
 * Like `readErrorFields`, for the body of a refusal; any body will do, since the status says
 * enough.
 */
export function readErrorBody(bytes: Uint8Array | undefined): ErrorBody {
  if (bytes === undefined) return EMPTY_ERROR_BODY;
  try {
    return readErrorFields(readJson(bytes));
  } catch (error) {
    if (error instanceof Unreadable) return EMPTY_ERROR_BODY;
    throw error;
  }
}
