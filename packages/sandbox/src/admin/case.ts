import { OPERATIONS } from '@bursar/merchant-api/spec';
import { z } from 'zod';
import { JsonFields, listOf, NullableText } from './values.ts';

/** A signed request with the answer that the sandbox decided. */
const CaseRequest = z.object({
  kind: z.literal('request'),
  time: z.iso.datetime(),
  operation: z.enum(OPERATIONS),
  /** The place of its key in `keys`. Null: an unknown key. */
  key: z.int().min(0).nullable(),
  contentType: NullableText,
  /** The header `Sandbox-Modes`. */
  modes: NullableText,
  body: z.string(),
  encoding: z.enum(['utf8', 'base64']),
  fault: NullableText,
  /** Null when a fault prevented the decision. */
  status: z.int().nullable(),
  errorCode: NullableText,
  answer: NullableText,
});

/** A change by the admin API. */
const CaseChange = z.object({
  kind: z.literal('change'),
  time: z.iso.datetime(),
  /** Method and path below /sandbox. */
  endpoint: z.string(),
  input: z.unknown(),
});

/** What happened in a sandbox since its start, so that another one can repeat it. It has no secret. */
export const AdminCase = z.object({
  schema: z.literal('bursar.sandbox-case/v1'),
  /** The settings by their names without the prefix. */
  settings: z.record(z.string(), z.string()),
  modes: JsonFields,
  faults: listOf(z.unknown()),
  fates: listOf(z.unknown()),
  /** The accounts of each key. */
  keys: listOf(listOf(z.string())),
  /** In the order of their times. */
  steps: listOf(z.discriminatedUnion('kind', [CaseRequest, CaseChange])),
});
export type AdminCase = z.output<typeof AdminCase>;
export type AdminCaseStep = AdminCase['steps'][number];
