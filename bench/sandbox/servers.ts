import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Child } from '../../src/local-stack/processes/child.ts';
import type { BenchContext } from '../support/context.ts';
import { addressOf, profiling, startProgram } from '../support/program.ts';
import { compiled } from '../support/run-module.ts';
import { withoutSettings } from '../support/settings.ts';
import { ACCOUNT, KEY, SECRET } from './access.ts';
import { BARE_READY_LINE } from './names.ts';

const SANDBOX = compiled('../../programs/sandbox.js');
const BARE_SERVER = compiled('../sandbox/bare-server.js');

const SANDBOX_READY_LINE = 'sandbox listening on ';

type Settings = Readonly<Record<string, string>>;

export type Server = Readonly<{ url: string; child: Child }>;

/** Starts servers as they are needed, and stops all of them whatever happens. */
export async function withServers<Result>(
  context: BenchContext,
  use: (servers: Servers) => Promise<Result>,
): Promise<Result> {
  const children: Child[] = [];
  try {
    return await use(createServers(context, children));
  } finally {
    for (const child of children.reverse()) await child.stop();
  }
}

export type Servers = ReturnType<typeof createServers>;

function createServers(context: BenchContext, children: Child[]) {
  const start = async (
    name: string,
    program: Readonly<{ args: readonly string[]; env?: Settings; readyLine: string }>,
  ): Promise<Server> => {
    const folder = join(context.folder, name);
    mkdirSync(folder, { recursive: true });
    const env = { ...withoutSettings(context.env), ...program.env };
    const args = [...profiling(context, name), ...program.args];
    const child = await startProgram(context, { name, args, env, folder });
    children.push(child);
    return { child, url: await addressOf(child, program.readyLine) };
  };
  return {
    /** A sandbox as people start it; under a name that was used before, it takes up what that one left. */
    sandbox: (name: string, settings: Settings = {}): Promise<Server> => {
      const env = { ...SANDBOX_ENV, ...settings };
      return start(name, { args: [SANDBOX], env, readyLine: SANDBOX_READY_LINE });
    },
    /** The least that can check a signature; it gives everybody the same answer. */
    bare: (answer: string): Promise<Server> =>
      start('bare', { args: [BARE_SERVER, answer], readyLine: BARE_READY_LINE }),
  };
}

const SANDBOX_ENV = {
  BURSAR_SANDBOX_LISTEN: '127.0.0.1:0',
  BURSAR_SANDBOX_KEYS: `${KEY}:${SECRET}:${ACCOUNT}`,
};
