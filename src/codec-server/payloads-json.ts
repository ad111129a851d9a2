import type { Payload } from '@temporalio/common';
import { z } from 'zod';

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const bytes = z
  .string()
  .regex(BASE64)
  .transform((text) => new Uint8Array(Buffer.from(text, 'base64')));

/**
 * The body that Temporal's tools send to a codec server: bytes in base64. Other fields are dropped.
 */
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

/** Reads the payloads of a body. Returns undefined when the body has another form. */
export function readPayloads(body: unknown): Payload[] | undefined {
  const read = Body.safeParse(body);
  if (!read.success) return undefined;
  return (read.data.payloads ?? []).map(({ metadata, data }) => ({
    metadata: metadata ?? {},
    data: data ?? new Uint8Array(),
  }));
}

/** Returns payloads in the form of the request, for the response. */
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
