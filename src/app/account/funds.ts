import { ACCOUNT_ID_PATTERN, ACCOUNT_UUID_PATTERN, isAccountId } from '@bursar/merchant-api/spec';
import { z } from 'zod';
import { PLAIN_NAME } from '../../domain/approval/people.ts';
import * as reading from '../../operations/batch/read-funds.ts';
import { DURATION_MS_MAX } from '../../operations/input/duration.ts';
import { inboxOf } from '../../operations/batch/inbox-of.ts';
import { listOperation, operation } from '../operation.ts';
import { accountFunds, inboxItem } from '../results/account.ts';

/** How far ahead runs of schedules are counted by default: 31 days, in milliseconds. */
export const AHEAD_MS_DEFAULT = 31 * 86_400_000;

export const readFunds = operation({
  name: 'readFunds',
  summary: 'The money of an account, who wants it, and when it will fall short',
  role: 'read',
  http: 'GET /v1/funds',
  input: z.strictObject({
    account: z
      .string()
      .refine(isAccountId, 'is not 0x and 40 hexadecimal digits (or a UUID)')
      .meta({ pattern: `${ACCOUNT_ID_PATTERN.source}|${ACCOUNT_UUID_PATTERN.source}` })
      .exactOptional(),
    aheadMs: z.int().min(1).max(DURATION_MS_MAX).default(AHEAD_MS_DEFAULT),
  }),
  result: accountFunds,
  run: reading.readFunds,
});

export const readInbox = listOperation({
  name: 'readInbox',
  summary: 'Everything that waits for a person, the oldest first',
  role: 'read',
  http: 'GET /v1/inbox',
  input: z.strictObject({ person: z.string().regex(PLAIN_NAME).exactOptional() }),
  names: { schema: 'bursar.inbox/v1', array: 'items', lineSchema: 'bursar.inbox-item/v1' },
  about: z.object({}),
  item: inboxItem,
  run: async (input, context, use) => use({ about: {}, items: await inboxOf(input, context) }),
});
