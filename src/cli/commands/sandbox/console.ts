import { EXIT } from '../../../domain/errors/exit-codes.ts';
import type { Context } from '../../context.ts';
import { printResult } from '../../print/output.ts';
import type { SandboxFlags } from '../../sandbox/address.ts';
import { openPage } from '../../sandbox/open-page.ts';
import { Health } from '../../sandbox/play-records.ts';
import { openSandbox } from './open.ts';

export type ConsoleFlags = SandboxFlags & Readonly<{ open?: boolean }>;

/** `bursar sandbox console`: the address of the page for people, of a sandbox that works. */
export async function console({ open, ...flags }: ConsoleFlags, context: Context): Promise<number> {
  const sandbox = await openSandbox(flags, context);
  await sandbox.ask({ path: '/health', answer: Health });
  const url = `${sandbox.url}/sandbox/console`;
  printResult(context, { json: { schema: 'bursar.sandbox-console/v1', url }, text: url });
  if (open) await openPage(url, context);
  return EXIT.done;
}
