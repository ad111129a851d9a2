import { SORT_ORDERS } from '@bursar/merchant-api';
import { z } from 'zod';
import type { FlagForm } from '../../operation/operation-command.ts';
import { count, text } from './fields.ts';

/** The fields by which every list is paged. */
export const pageFields = {
  pageNumber: count.exactOptional().describe('which page (1 by default)'),
  pageSize: count.exactOptional().describe('how many on a page (10 by default)'),
  sort: z
    .enum(SORT_ORDERS, { error: `must be one of ${SORT_ORDERS.join(', ')}` })
    .exactOptional()
    .describe('ASC (the default) or DESC'),
  properties: text.exactOptional().describe('what they are sorted by'),
  all: z.boolean().exactOptional().describe('walk every page'),
};

/** The page that a list is asked for. */
export type Paging = Omit<z.output<z.ZodObject<typeof pageFields>>, 'all'>;

/** Digits are a number; the schema refuses any other text. */
const readNumber = (typed: string): unknown =>
  /^[1-9]\d{0,8}$/.test(typed) ? Number(typed) : typed;

export const pageFlags = {
  pageNumber: { form: '--page <number>', read: readNumber },
  pageSize: { form: '--size <number>', read: readNumber },
  sort: { form: '--sort <order>', read: (typed: string) => typed.trim().toUpperCase() },
  properties: '--by <property>',
  all: { form: '--all', isTypedOnly: true },
} as const satisfies Readonly<Record<string, FlagForm>>;
