import { z } from 'zod';
import { EXIT } from '../../../domain/errors/exit-codes.ts';
import type { Context } from '../../context.ts';
import type { SandboxFlags } from '../../sandbox/address.ts';
import { openSandbox } from './open.ts';

const OpenApi = z.looseObject({ openapi: z.string() });

/** `bursar sandbox openapi`: the OpenAPI document of what this sandbox serves, in every format as the document itself. */
export async function openapi(flags: SandboxFlags, context: Context): Promise<number> {
  const sandbox = await openSandbox(flags, context);
  const document = await sandbox.ask({ path: '/openapi.json', answer: OpenApi });
  context.print(JSON.stringify(document, undefined, context.format === 'jsonl' ? 0 : 2));
  return EXIT.done;
}
