import { z } from 'zod';
import { SORT_ORDERS } from '@bursar/merchant-api';
import { count, text } from './fields.ts';

/** The fields by which every list is paged. */
export const pageFields = {
  pageNumber: count.exactOptional(),
  pageSize: count.exactOptional(),
  sort: z.enum(SORT_ORDERS).exactOptional(),
  properties: text.exactOptional(),
};
