import { isAuthRefusal } from '../sending/doubt.ts';
import { BursarError } from './bursar-error.ts';
import { codeText } from './code-text.ts';

/** The texts of the error body of a failed call. */
export type ServiceErrorBody = Readonly<{
  errorCode?: string;
  traceId?: string;
  /** The service's own sentence, cleaned. */
  serviceMessage?: string;
}>;

/** The facts of a failed call, as the client of the service returns them. */
export type ServiceFailure = ServiceErrorBody &
  Readonly<{
    kind: 'not-sent' | 'no-answer' | 'refused' | 'unreadable' | 'unavailable' | 'invalid-input';
    operation: string;
    message: string;
    reason?: string;
    httpStatus?: number;
    /** Of a refusal: it came as the error body that the specification describes. */
    documented?: boolean;
  }>;

/** Which service failed. `skewMs` is the last measured clock difference. */
export type FailedService = Readonly<{
  baseUrl: string;
  skewMs: number | undefined;
  /** Whether the service may speak in its own words: in a terminal, and never where a history keeps it. */
  isQuoted?: boolean;
}>;

/** With a larger difference between the clocks the service may refuse requests, in milliseconds. */
export const CLOCK_SKEW_MS_MAX = 60_000;

/** Whether a measured difference of the clocks is too large; one that was never measured is not. */
export const isClockOff = (skewMs: number | undefined): skewMs is number =>
  skewMs !== undefined && Math.abs(skewMs) > CLOCK_SKEW_MS_MAX;

/** Throws CLOCK_SKEW when the two clocks are too far apart to send anything. */
export function refuseClockSkew(skewMs: number | undefined): void {
  if (!isClockOff(skewMs)) return;
  throw new BursarError('CLOCK_SKEW', { skewMs, limitMs: CLOCK_SKEW_MS_MAX });
}

/** Turns a failed call into an error of the catalogue. */
export function fromServiceFailure(failure: ServiceFailure, service: FailedService): BursarError {
  const { operation } = failure;
  const status = String(failure.httpStatus ?? 'none');
  const { isQuoted = false } = service;
  switch (failure.kind) {
    case 'not-sent':
    case 'no-answer':
      return unreachable(service.baseUrl, failure.reason ?? 'no answer', failure);
    case 'refused':
      return fromRefusal(failure, service);
    case 'unreadable':
      return new BursarError(
        'SERVICE_ANSWER_UNREADABLE',
        { operation, status, reason: unreadableText(failure, isQuoted) },
        { cause: failure },
      );
    case 'unavailable':
      return new BursarError('SERVICE_LACKS_OPERATION', { operation });
    case 'invalid-input':
      return new BursarError('INTERNAL', { message: failure.message }, { cause: failure });
  }
}

const unreadableText = (failure: ServiceFailure, isQuoted: boolean): string | undefined =>
  failure.reason === undefined ? undefined : `${failure.reason}${answerText(failure, isQuoted)}`;

/**
 * The error body of an answer, to follow a status or a reason: `, NO_FUNDS, trace t-1: The account is empty`. Empty without one.
 * `isQuoted`: whether the sentence of the service may stand in it; see {@link FailedService}.
 */
export function answerText(
  { errorCode, traceId, serviceMessage }: ServiceErrorBody,
  isQuoted: boolean,
): string {
  const code = errorCode === undefined ? '' : `, ${codeText(errorCode)}`;
  const trace = traceId === undefined ? '' : `, trace ${codeText(traceId)}`;
  const sentence = isQuoted && serviceMessage ? `: ${serviceMessage}` : '';
  return `${code}${trace}${sentence}`;
}

/**
 * Whether a refusal is about the path. A 404 of the service itself, with its error body, is about an object. A 405
 * means that the path takes no POST, from any server.
 */
export const isPathUnknown = ({ httpStatus = 0, documented }: ServiceFailure): boolean =>
  httpStatus === 405 || (httpStatus === 404 && documented === false);

function fromRefusal(
  failure: ServiceFailure,
  { baseUrl, skewMs, isQuoted = false }: FailedService,
): BursarError {
  const httpStatus = failure.httpStatus ?? 0;
  const answer = answerText(failure, isQuoted);
  if (httpStatus >= 500 || httpStatus === 429 || httpStatus === 408) {
    return unreachable(baseUrl, `status ${httpStatus}${answer}`, failure);
  }
  if (isPathUnknown(failure)) {
    const { operation } = failure;
    const facts = { operation, status: `${httpStatus}${answer}` };
    return new BursarError('SERVICE_PATH_UNKNOWN', facts, { cause: failure });
  }
  if (isClockOff(skewMs)) {
    return new BursarError(
      'CLOCK_SKEW',
      { skewMs, limitMs: CLOCK_SKEW_MS_MAX, answer: `status ${httpStatus}${answer}` },
      { cause: failure },
    );
  }
  const facts = {
    operation: failure.operation,
    status: String(httpStatus),
    errorCode:
      failure.errorCode === undefined ? 'without an error code' : codeText(failure.errorCode),
    traceId: codeText(failure.traceId ?? 'none'),
    says: isQuoted ? failure.serviceMessage : undefined,
  };
  // A read of balances carries only key, signature, time and account: a refusal must be about one of these.
  const aboutKey = isAuthRefusal(httpStatus) || failure.operation === 'ACCOUNT';
  return new BursarError(aboutKey ? 'SERVICE_REFUSED_KEY' : 'SERVICE_REFUSED', facts, {
    cause: failure,
  });
}

const unreachable = (baseUrl: string, reason: string, cause: ServiceFailure): BursarError =>
  new BursarError('SERVICE_UNREACHABLE', { baseUrl, reason }, { cause });
