import { SORT_ORDERS } from '@bursar/merchant-api';
import { z } from 'zod';
import { optionalFlag } from '../../command-table/flag.ts';
import { count, text } from './fields.ts';

/** Digits are a number; the schema refuses any other text. */
const readNumber = (typed: string): unknown =>
  /^[1-9]\d{0,8}$/.test(typed) ? Number(typed) : typed;

const readOrder = (typed: string): string => typed.trim().toUpperCase();

const sortOrder = z.enum(SORT_ORDERS, { error: `must be one of ${SORT_ORDERS.join(', ')}` });

/** The fields by which every list is paged. */
export const pageFields = {
  pageNumber: optionalFlag(
    { form: '--page <number>', read: readNumber },
    'which page (1 by default)',
    count,
  ),
  pageSize: optionalFlag(
    { form: '--size <number>', read: readNumber },
    'how many on a page (10 by default)',
    count,
  ),
  sort: optionalFlag(
    { form: '--sort <order>', read: readOrder },
    'ASC (the default) or DESC',
    sortOrder,
  ),
  properties: optionalFlag('--by <property>', 'what they are sorted by', text),
  all: optionalFlag({ form: '--all', isTypedOnly: true }, 'walk every page', z.boolean()),
};

/** The page that a command requests of a list. */
export type PageFlags = Omit<z.output<z.ZodObject<typeof pageFields>>, 'all'>;
