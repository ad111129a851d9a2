import { OPERATIONS } from '@bursar/merchant-api/spec';
import { z } from 'zod';
import { listOf, NextItem, NullableText } from './values.ts';

const Operation = z.enum(OPERATIONS);

export const AdminHealth = z.object({ status: z.literal('ok'), time: z.string() });

export const AdminClock = z.object({
  time: z.string(),
  /** Whether time passes only by `POST /sandbox/clock/advance`. */
  isVirtual: z.boolean(),
  /** How far the service's clock is off. */
  offsetMs: z.int(),
  /** The offset that the admin API set; null when the settings decide. */
  override: z.int().nullable(),
});
export type AdminClock = z.output<typeof AdminClock>;

/** One of some words, or a number; null means no limit. */
const ModeValue = z.union([z.string(), z.int(), z.null()]);
export type AdminModeValue = z.output<typeof ModeValue>;

const ModeValues = z.record(z.string(), ModeValue);
export type AdminModeValues = z.output<typeof ModeValues>;

/** The modes in force, and the ones that the admin API set over the settings. */
export const AdminModes = z.object({ modes: ModeValues, overrides: ModeValues });
export type AdminModes = z.output<typeof AdminModes>;

/** The words of a mode, or the range of its number. */
const ModeRange = z.union([
  listOf(z.string()),
  z.object({ min: z.int(), max: z.int(), canBeNull: z.boolean() }).readonly(),
]);
export type AdminModeRange = z.output<typeof ModeRange>;

/** Every value that each mode can have, and the values of the settings. */
export const AdminModeRanges = z.object({
  values: z.record(z.string(), ModeRange),
  settings: ModeValues,
});

/** An operation of the service with its method and path. */
export const AdminOperation = z.object({
  operation: Operation,
  method: z.string(),
  path: z.string(),
});
export type AdminOperation = z.output<typeof AdminOperation>;

export const AdminOperations = z.object({ operations: listOf(AdminOperation) });

/** A fault. The fields that belong to its kind stand beside these. */
export const AdminFault = z.looseObject({
  id: z.int(),
  target: z.string(),
  kind: z.string(),
  /** How many requests or webhooks it could have hit. */
  drawn: z.int(),
  fired: z.int(),
});
export type AdminFault = z.output<typeof AdminFault>;

export const AdminFaults = z.object({ faults: listOf(AdminFault) });

/** A kind of fault with the fields that it needs and may have. */
const FaultKind = z.object({
  target: z.enum(['operation', 'WEBHOOK']),
  kind: z.string(),
  needs: listOf(z.string()),
  may: listOf(z.string()),
});
export type AdminFaultKind = z.output<typeof FaultKind>;

export const AdminFaultKinds = z.object({
  operations: listOf(Operation),
  pages: listOf(z.string()),
  kinds: listOf(FaultKind),
});
export type AdminFaultKinds = z.output<typeof AdminFaultKinds>;

/** A rule that decides the results of the withdrawals that it matches. */
const FateRule = z.looseObject({ match: z.looseObject({}), fate: z.string() });

export const AdminFates = z.object({
  fates: listOf(FateRule),
  /** Whether the admin API set them over the settings. */
  isOverride: z.boolean(),
  /** Every fate that a rule can name. */
  names: listOf(z.string()),
});
export type AdminFates = z.output<typeof AdminFates>;

/** One request in the log of requests. */
export const AdminRequest = z.object({
  n: z.int(),
  time: z.string(),
  operation: Operation,
  status: z.int().nullable(),
  errorCode: NullableText,
  objectId: NullableText,
  idempotencyKey: NullableText,
  timestampMs: z.number().nullable(),
  bodySha256: z.string(),
  requestBytes: z.int(),
  answerBytes: z.int().nullable(),
  durationMs: z.number(),
  modes: NullableText,
  fault: NullableText,
});
export type AdminRequest = z.output<typeof AdminRequest>;

export const AdminRequests = z.object({ requests: listOf(AdminRequest), next: NextItem });
