import { z } from 'zod';
import type { LogVerdict, LogEntry } from '../../operations/audit/read-log.ts';
import { readLog } from '../../operations/audit/read-log.ts';
import { batchId } from '../inputs.ts';
import { listOperation } from '../operation.ts';
import { errorNote, instant } from '../results/values.ts';

const check: z.ZodType<LogVerdict> = z.object({
  whole: z.boolean(),
  checked: z.int(),
  head: z.object({ seq: z.int(), hash: z.string() }),
  broken: z.object({ seq: z.int(), problem: z.string() }).nullable(),
  kept: z
    .object({
      url: z.string(),
      isReadable: z.boolean(),
      compared: z.int(),
      problems: z.array(errorNote),
    })
    .nullable(),
});

const entry = z.looseObject({
  seq: z.int(),
  batchId: z.string().nullable(),
  actor: z.string(),
  action: z.string(),
  at: instant,
  hash: z.string(),
}) as unknown as z.ZodType<LogEntry>;

export const readAuditLog = listOperation({
  name: 'readAuditLog',
  summary:
    'Every decision and try with its person, the oldest first, and whether the log is as it was written',
  role: 'read',
  http: 'GET /v1/audit',
  input: z.strictObject({ batchId: batchId.exactOptional(), all: z.boolean().default(false) }),
  names: { schema: 'bursar.audit/v1', array: 'entries', lineSchema: 'bursar.audit-entry/v1' },
  about: check,
  item: entry,
  run: readLog,
});
