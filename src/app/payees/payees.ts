import { z } from 'zod';
import * as changing from '../../operations/payees/change-payees.ts';
import * as reading from '../../operations/payees/read-register.ts';
import type { NamedPayee } from '../../operations/payees/find-payee.ts';
import type { OperationContext } from '../../operations/context.ts';
import type { PayeeView } from '../../operations/payees/payee-view.ts';
import {
  PAYEE_EMAIL_CHARS_MAX,
  PAYEE_LABELS_MAX,
  PAYEE_NAME_CHARS_MAX,
} from '../../domain/payees/payee-texts.ts';
import { withSources, withSourcesToRead } from '../../operations/batch/sources.ts';
import { importStored } from '../../operations/payees/import-stored.ts';
import { storedFile } from '../batches/submit.ts';
import { limit, reasonFor } from '../inputs.ts';
import { listOperation, operation } from '../operation.ts';
import { instant } from '../results/values.ts';

/** Characters of an address, and of a text that is looked for. */
const TEXT_LENGTH_MAX = 200;

/** A payee as it is named. `currency`: a currency or network, where an address exists on several. */
const named = {
  address: z
    .string()
    .trim()
    .min(1)
    .max(TEXT_LENGTH_MAX)
    .meta({
      description: 'the address of a payee',
      examples: ['TWGd9ia8Q5mkXwLfvGK2YWHkMu2FPmt1DK'],
    }),
  currency: z.string().min(1).max(TEXT_LENGTH_MAX).exactOptional(),
};

const view = {
  id: z.string(),
  network: z.string(),
  address: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  labels: z.array(z.string()),
  status: z.enum(['LISTED', 'UNLISTED', 'ALLOWED', 'DENIED']),
  decidedBy: z.string().nullable(),
  decidedAt: instant.nullable(),
  reason: z.string().nullable(),
  addedBy: z.string().nullable(),
  addedAt: instant.nullable(),
};

const payment = z.object({ batchId: z.string(), row: z.int(), at: instant }).nullable();

const SCHEMA = 'bursar.payee/v1' as const;

const payee = z.object({ schema: z.literal(SCHEMA), ...view });

const payments = { payments: z.int(), firstPaid: payment, lastPaid: payment };

const listed: z.ZodType<reading.ListedPayee> = z.object({
  ...view,
  payments: z.int().exactOptional(),
  firstPaid: payment.exactOptional(),
  lastPaid: payment.exactOptional(),
});

export const listPayees = listOperation({
  name: 'listPayees',
  summary: 'The payees of the register, by network and address',
  role: 'read',
  http: 'GET /v1/payees',
  input: z.strictObject({
    search: z
      .string()
      .max(TEXT_LENGTH_MAX)
      .exactOptional()
      .meta({ description: 'only payees with this text in address, name or labels' }),
    after: z
      .string()
      .max(2 * TEXT_LENGTH_MAX)
      .exactOptional()
      .meta({
        description: 'only payees behind this one, for the next page: its network and address',
        examples: ['tron:TWGd9ia8Q5mkXwLfvGK2YWHkMu2FPmt1DK'],
      }),
    limit: limit.exactOptional(),
    withPayments: z
      .boolean()
      .exactOptional()
      .meta({ description: 'with the payments to each; reads all batches of the account once' }),
  }),
  names: { schema: 'bursar.payee-list/v1', array: 'payees', lineSchema: 'bursar.payee-line/v1' },
  about: z.object({}),
  item: listed,
  run: (input, context, use) =>
    withSourcesToRead(context, async (sources) =>
      use({ about: {}, items: reading.listPayees(sources, input) }),
    ),
});

export const showPayee = operation({
  name: 'showPayee',
  summary: 'A payee, in the register or not, with its first and its last payment',
  role: 'read',
  http: 'GET /v1/payees/:address',
  input: z.strictObject(named),
  result: payee.extend(payments),
  run: (input, context) =>
    withSourcesToRead(context, async (sources) => ({
      schema: SCHEMA,
      ...(await reading.showPayee(sources, input)),
    })),
});

const reason = reasonFor('it stands in the register and in the audit log');

export const decidePayee = operation({
  name: 'decidePayee',
  summary: 'Allow a payee, or deny it: no later plan may pay it',
  role: 'operate',
  http: 'POST /v1/payees/:address/decision',
  input: z.strictObject({ ...named, decision: z.enum(['ALLOWED', 'DENIED']), reason }),
  result: payee,
  run: ({ decision: kind, ...input }, context) =>
    withSources(context, async (sources) => ({
      schema: SCHEMA,
      ...(await changing.decidePayee(sources, { ...input, kind }, context)),
    })),
});

const describe = (
  asked: NamedPayee & changing.PayeeDescription,
  context: OperationContext,
): Promise<PayeeView & Readonly<{ schema: typeof SCHEMA }>> =>
  withSources(context, async (sources) => ({
    schema: SCHEMA,
    ...(await changing.describePayee(sources, asked, context)),
  }));

export const namePayee = operation({
  name: 'namePayee',
  summary: 'Give a payee of the register a name; an empty one removes it',
  role: 'operate',
  http: 'POST /v1/payees/:address/name',
  input: z.strictObject({
    ...named,
    name: z.string().trim().max(PAYEE_NAME_CHARS_MAX),
  }),
  result: payee,
  run: describe,
});

export const emailPayee = operation({
  name: 'emailPayee',
  summary: 'Give a payee of the register an e-mail address; an empty one removes it',
  role: 'operate',
  http: 'POST /v1/payees/:address/email',
  input: z.strictObject({
    ...named,
    email: z.string().trim().max(PAYEE_EMAIL_CHARS_MAX),
  }),
  result: payee,
  run: describe,
});

export const labelPayee = operation({
  name: 'labelPayee',
  summary: 'Give a payee of the register its labels; none removes them',
  role: 'operate',
  http: 'POST /v1/payees/:address/labels',
  input: z.strictObject({
    ...named,
    labels: z.array(z.string().max(TEXT_LENGTH_MAX)).max(PAYEE_LABELS_MAX),
  }),
  result: payee,
  run: describe,
});

const IMPORT = 'bursar.payee-import/v1' as const;

export const importPayees = operation({
  name: 'importPayees',
  summary:
    'Add the payees of an uploaded CSV file, or give them names and labels; it lifts no denial',
  role: 'operate',
  http: 'POST /v1/payee-imports',
  input: z.strictObject({ file: storedFile }),
  result: z.object({
    schema: z.literal(IMPORT),
    rows: z.int(),
    changed: z.int(),
    stillDenied: z.int(),
  }),
  run: ({ file }, context) =>
    withSources(context, async (sources) => ({
      schema: IMPORT,
      ...(await importStored(sources, file, context)),
    })),
});
