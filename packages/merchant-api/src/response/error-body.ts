import { z } from 'zod';
import { readJson } from '../json/read-json.ts';
import { Unreadable } from './unreadable.ts';

const textOrNothing = z.string().optional().catch(undefined);

const ErrorBodyFields = z
  .object({ traceId: textOrNothing, errorCode: textOrNothing, message: textOrNothing })
  .catch({});

/** The texts of an error body. A member that is no text counts as absent. Spec: "Error body". */
export type ErrorBody = z.infer<typeof ErrorBodyFields> &
  Readonly<{
    /** Secret keys that stand in the same body: the texts above could quote them. */
    secretKeys: readonly string[];
  }>;

export const EMPTY_ERROR_BODY: ErrorBody = { secretKeys: [] };

/** Reads the texts of a parsed body. */
export function readErrorFields(json: unknown): ErrorBody {
  const fields = ErrorBodyFields.parse(json);
  const hasText = Object.values(fields).some((text) => text !== undefined);
  return { ...fields, secretKeys: hasText ? findSecretKeys(json) : [] };
}

/** Whether all three documented texts are present. Spec: "Errors" 1. */
export function isDocumented({ traceId, errorCode, message }: ErrorBody): boolean {
  return traceId !== undefined && errorCode !== undefined && message !== undefined;
}

/** Reads the texts of a refusal's body. Any body is accepted, because the status decides. */
export function readErrorBody(bytes: Uint8Array | undefined): ErrorBody {
  if (bytes === undefined) return EMPTY_ERROR_BODY;
  try {
    return readErrorFields(readJson(bytes));
  } catch (error) {
    if (error instanceof Unreadable) return EMPTY_ERROR_BODY;
    throw error;
  }
}

/**
 * The texts that stand under the name `secretKey`, at any depth; the reader of JSON bounds it.
 * A webhook subscription carries one. Spec: "Webhook subscription".
 */
function findSecretKeys(json: unknown): string[] {
  if (typeof json !== 'object' || json === null) return [];
  return Object.entries(json).flatMap(([name, value]) =>
    name === 'secretKey' && typeof value === 'string' && value !== ''
      ? [value]
      : findSecretKeys(value),
  );
}
