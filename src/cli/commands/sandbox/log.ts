import { OPERATIONS } from '@bursar/merchant-api/spec';
import type { AdminRequest } from '@bursar/sandbox/admin';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { optionalFlag } from '../../command-table/flag.ts';
import { list, type ListView } from '../../command-table/printout.ts';
import type { SandboxClient } from '../../sandbox/client.ts';
import { follow, type SandboxListing, lookPause } from '../../sandbox/pages.ts';
import { fromOneUp, oneOf, tailFields, text } from './fields.ts';
import { refuseEndlessJson, sandboxOperation, tailOf } from './operations.ts';

const LOG_VIEW: ListView<AdminRequest> = {
  schema: 'bursar.sandbox-log/v1',
  name: 'requests',
  lineSchema: 'bursar.sandbox-request/v1',
  columns: [
    { title: 'N', width: 6, right: true, cell: (of) => of.n },
    { title: 'OPERATION', width: 16, cell: (of) => of.operation },
    { title: 'STATUS', width: 6, right: true, cell: (of) => of.status },
    { title: 'ERROR', width: 24, cell: (of) => of.errorCode },
    { title: 'OBJECT', width: 36, cell: (of) => of.objectId },
    { title: 'KEY', width: 36, cell: (of) => of.idempotencyKey },
    { title: 'FAULT', width: 16, cell: (of) => of.fault },
    { title: 'TIME', width: 0, cell: (of) => ({ moment: of.time }) },
  ],
};

export const log = sandboxOperation({
  name: 'log',
  summary: 'list the requests to the operations, the latest last',
  fields: {
    ...tailFields,
    operation: optionalFlag(
      '--operation <operation>',
      'only requests to this operation, such as MASS_CREATE',
      oneOf(OPERATIONS),
    ),
    status: optionalFlag('--status <status>', 'only requests with this HTTP status', fromOneUp),
    idempotencyKey: optionalFlag('--key <uuid>', 'only requests with this idempotency key', text),
    since: optionalFlag(
      '--since <instant>',
      'only requests from then on, such as 2026-12-01T09:00:00Z',
      text,
    ),
    follow: optionalFlag(
      '-f, --follow',
      'go on with the requests that come, until Ctrl-C',
      z.boolean(),
    ),
  },
  async run({ tail, follow: isFollowed, ...query }, sandbox, context) {
    const listing: RequestListing = {
      endpoint: 'GET /requests',
      query,
      items: ({ requests }) => requests,
    };
    if (!isFollowed) return list(LOG_VIEW, tailOf(sandbox, listing, tail));
    refuseEndlessJson(context);
    return list(LOG_VIEW, oldAndNew(sandbox, { listing, tail }, context));
  },
});

type RequestListing = SandboxListing<'GET /requests', AdminRequest>;

type Tail = Readonly<{ listing: RequestListing; tail: number | undefined }>;

/** The last requests, and then those that come. It has no end of its own. */
async function* oldAndNew(
  sandbox: SandboxClient,
  { listing, tail }: Tail,
  context: Context,
): AsyncGenerator<AdminRequest> {
  let after = 0;
  for await (const entry of tailOf(sandbox, listing, tail)) {
    after = entry.n;
    yield entry;
  }
  yield* follow(sandbox, listing, { after, pause: lookPause(context) });
}
