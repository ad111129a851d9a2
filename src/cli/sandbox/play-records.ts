import { z } from 'zod';
import { pageOf } from './pages.ts';

const nullableText = z.string().nullable();

export const Health = z.object({ status: z.literal('ok'), time: z.string() });

export const Clock = z.object({
  time: z.string(),
  offsetMs: z.int(),
  override: z.int().nullable(),
});
export type Clock = z.output<typeof Clock>;

/** A mode is one of some words, or a number that may have no limit. */
const ModeValue = z.union([z.string(), z.int(), z.null()]);
export type ModeValue = z.output<typeof ModeValue>;

const ModeValues = z.record(z.string(), ModeValue);
export type ModeValues = z.output<typeof ModeValues>;

export const Modes = z.object({ modes: ModeValues, overrides: ModeValues });
export type Modes = z.output<typeof Modes>;

export const Operations = z.object({
  operations: z.array(z.object({ operation: z.string(), path: z.string() })),
});

/** A fault; the fields that belong to its kind stand beside these. */
export const Fault = z.looseObject({
  id: z.int(),
  target: z.string(),
  kind: z.string(),
  drawn: z.int(),
  fired: z.int(),
});
export type Fault = z.output<typeof Fault>;

export const Faults = z.object({ faults: z.array(Fault) });

export const LogEntry = z.object({
  n: z.int(),
  time: z.string(),
  operation: z.string(),
  status: z.int().nullable(),
  errorCode: nullableText,
  objectId: nullableText,
  idempotencyKey: nullableText,
  timestampMs: z.number().nullable(),
  bodySha256: z.string(),
  requestBytes: z.int(),
  answerBytes: z.int().nullable(),
  durationMs: z.number(),
  modes: nullableText,
  fault: nullableText,
});
export type LogEntry = z.output<typeof LogEntry>;

export const LogPage = pageOf('requests', LogEntry);
