import { type Logger, pino } from 'pino';
import { codeText } from '../domain/errors/code-text.ts';
import { maskedUrl } from '../domain/text/masked-url.ts';
import { partOfBatch } from '../domain/tracing/span.ts';

/** The least important lines that are logged. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** The log of a program: one JSON object a line, on standard error. Written at once, so that a crash loses none. */
export const createLog = (name: string, level: LogLevel): Logger =>
  pino({ name, level }, pino.destination({ dest: 2, sync: true }));

/** A line of Temporal's SDK or of its native part. */
export type SdkLine = Readonly<{
  level: 'TRACE' | 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';
  message: string;
  meta?: Readonly<Record<string | symbol, unknown>>;
}>;

/** Fields of the SDK's lines that are logged. Others can hold what Temporal keeps of a batch. */
const FIELDS = [
  ...['sdkComponent', 'workflowType', 'workflowId', 'activityType', 'attempt'],
  ...['chunk', 'n', 'outcome', 'result', 'httpStatus', 'errorCode', 'traceId'],
];

const LEVELS = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
} as const;

/** Writes the lines of Temporal's SDK into the log of the program. */
export const sdkLines =
  (log: Readonly<Record<(typeof LEVELS)[keyof typeof LEVELS], Write>>) =>
  ({ level, message, meta = {} }: SdkLine): void =>
    log[LEVELS[level]](fieldsOf(meta), maskedUrl(message));

type Write = (facts: object, message: string) => void;

function fieldsOf(meta: Readonly<Record<string | symbol, unknown>>): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const name of FIELDS) if (meta[name] !== undefined) fields[name] = meta[name];
  const { workflowId } = meta;
  const part = partOfBatch(typeof workflowId === 'string' ? workflowId : '');
  if (part !== undefined) fields['batchId'] = part.batchId;
  const reason = meta['error'] ?? meta['why'];
  if (reason === undefined) return fields;
  const code = codeOf(reason);
  if (code !== undefined) fields['code'] = code;
  const traceId = traceIdOf(reason);
  if (traceId !== undefined) fields['traceId'] = traceId;
  fields['reason'] = reasonOf(reason);
  return fields;
}

/** The code of an error of ours; a failure of an activity has it as its type. */
function codeOf(reason: unknown): string | undefined {
  if (!(reason instanceof Error)) return undefined;
  const { type, code }: Error & Readonly<{ type?: unknown; code?: unknown }> = reason;
  return [type, code].find((name) => typeof name === 'string');
}

/** The service's `traceId` of an answer that is an error. */
function traceIdOf(reason: unknown): string | undefined {
  if (!(reason instanceof Error)) return undefined;
  const { traceId }: Error & Readonly<{ traceId?: unknown }> = reason;
  return typeof traceId === 'string' ? codeText(traceId) : undefined;
}

const reasonOf = (reason: unknown): string =>
  maskedUrl(reason instanceof Error ? (reason.stack ?? reason.message) : String(reason));
