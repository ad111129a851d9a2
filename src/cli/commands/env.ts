import { EXIT } from '../../domain/errors/exit-codes.ts';
import { shellWord } from '../../domain/text/shell-word.ts';
import { readSharedEnv } from '../../local-stack/stack-env.ts';
import type { Context } from '../context.ts';
import { printResult } from '../print/output.ts';

/** `bursar env`: the variables by which commands use the local stack of this folder, as lines for a POSIX shell. */
export async function env(_flags: object, context: Context): Promise<number> {
  const shared = readSharedEnv(context.cwd);
  const text = Object.entries(shared)
    .map(([name, value]) => `export ${name}=${shellWord(value)}`)
    .join('\n');
  printResult(context, { json: { schema: 'bursar.env/v1', env: shared }, text });
  return EXIT.done;
}
