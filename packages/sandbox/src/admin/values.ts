import { z } from 'zod';

export const NullableText = z.string().nullable();

/** The number of the last item of a page; null when the page is the last one. */
export const NextItem = z.int().nullable();

export const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).readonly();

/** JSON of any shape, by the names of its fields. */
export const JsonFields = z.record(z.string(), z.unknown());
