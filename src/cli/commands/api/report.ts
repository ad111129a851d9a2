import { z } from 'zod';
import type { Context } from '../../context.ts';
import { openText } from '../../print/record-text.ts';
import { instant, text } from './fields.ts';
import { readPayload } from './payload.ts';
import { runApi } from './run.ts';

export type ReportFlags = Readonly<{
  json?: string;
  from?: string;
  to?: string;
  blockchains?: string;
  zone?: string;
}>;

const Payload = z.strictObject({
  firstDate: instant,
  lastDate: instant,
  blockchainList: text,
  /** An offset or a zone; the client makes the service's `zoneOffset` of it. */
  zone: text.exactOptional(),
});

/** `bursar api report`: the service's own report over some blockchains and days. */
export async function report(flags: ReportFlags, context: Context): Promise<number> {
  const { json, from, to, blockchains } = flags;
  const typed = {
    firstDate: ['--from', from],
    lastDate: ['--to', to],
    blockchainList: ['--blockchains', blockchains],
    zone: ['--zone', flags.zone],
  } as const;
  const asked = await readPayload(Payload, { json, typed }, context);
  const { zone = context.clock.timeZone, ...rest } = asked;
  return runApi(
    {
      schema: 'bursar.api-report/v1',
      call: (api) => api.requestReport({ ...rest, zone }),
      text: ({ content }) => openText(content),
    },
    context,
  );
}
