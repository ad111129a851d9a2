import {
  isGrpcServiceError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import {
  BursarError,
  type ErrorNote,
  isErrorNote,
  noteOf,
} from '../../domain/errors/bursar-error.ts';

/** gRPC's status for an address where no server listens. */
const UNAVAILABLE = 14;

/** gRPC's numbers for an answer that did not come before the deadline, as the client noticed it and as the server did. */
const TOO_LATE: readonly number[] = [1, 4];

/** Turns the failures of Temporal that a command can handle into errors of the catalogue. */
export function unreachable(address: string, error: unknown): BursarError {
  const reason = reasonOf(grpcCauseOf(error) ?? error);
  return new BursarError('TEMPORAL_UNREACHABLE', { address, reason }, { cause: error });
}

function reasonOf(cause: unknown): string {
  if (!isGrpcServiceError(cause)) return messageOf(cause);
  return TOO_LATE.includes(cause.code)
    ? 'it did not answer in time'
    : cause.details || cause.message;
}

/** Whether the connection itself is down, and not only a worker silent. */
export function isDown(error: unknown): boolean {
  const code: number | undefined = grpcCauseOf(error)?.code;
  return code === UNAVAILABLE;
}

/** Whether a server took the call, and only did not answer it in time. */
export function isTooLate(error: unknown): boolean {
  const code: number | undefined = grpcCauseOf(error)?.code;
  return code !== undefined && TOO_LATE.includes(code);
}

/** gRPC's number for "there is no such thing". */
const NOT_FOUND = 5;

/** Whether a call that goes to the server unchanged failed with "not found". */
export function isNotFoundByServer(error: unknown): boolean {
  const code: number | undefined = isGrpcServiceError(error) ? error.code : undefined;
  return code === NOT_FOUND;
}

export const isNotFound = (error: unknown): boolean => error instanceof WorkflowNotFoundError;

/** The sentences with which an update was refused; undefined when it failed in another way. */
export function refusalOf(error: unknown): ErrorNote | undefined {
  if (!(error instanceof WorkflowUpdateFailedError)) return undefined;
  // The refusal of an activity that the update called has one more wrapper.
  const cause = error.cause instanceof ActivityFailure ? error.cause.cause : error.cause;
  const [note] = cause instanceof ApplicationFailure ? (cause.details ?? []) : [];
  return isErrorNote(note) ? note : noteOf('INTERNAL', { message: messageOf(cause ?? error) });
}

function grpcCauseOf(error: unknown) {
  const cause = error instanceof Error ? error.cause : undefined;
  return isGrpcServiceError(cause) ? cause : undefined;
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
