import type { Payload } from '@temporalio/common';
import { z } from 'zod';

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const bytes = z
  .string()
  .regex(BASE64)
  .transform((text) => new Uint8Array(Buffer.from(text, 'base64')));

/** Payloads as Temporal's tools send them to a codec server: bytes in base64. What else they say of a payload is left out. */
const Body = z.object({
  payloads: z
    .array(
      z.object({
        metadata: z.record(z.string(), bytes).nullish(),
        data: bytes.nullish(),
      }),
    )
    .nullish(),
});

/** Reads a body; undefined when it is something else. */
export function readPayloads(body: unknown): Payload[] | undefined {
  const read = Body.safeParse(body);
  if (!read.success) return undefined;
  return (read.data.payloads ?? []).map(({ metadata, data }) => ({
    metadata: metadata ?? {},
    data: data ?? new Uint8Array(),
  }));
}

/** The same form, as it is answered. */
export const writePayloads = (payloads: readonly Payload[]) => ({
  payloads: payloads.map(({ metadata, data }) => ({
    metadata: Object.fromEntries(
      Object.entries(metadata ?? {}).map(([name, value]) => [name, base64(value)]),
    ),
    data: base64(data),
  })),
});

const base64 = (value: Uint8Array | null | undefined): string =>
  Buffer.from(value ?? []).toString('base64');
