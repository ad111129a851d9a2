import {
  type RunningSandbox,
  startSandbox,
  type StartSandboxOptions,
} from '../../src/start-sandbox.ts';
import { type Client, createClient } from './client.ts';
import { onCleanup } from './start.ts';

/** A sandbox as other test suites start it, with a client on its clock; stopped after the test. */
export async function ownSandbox(
  options: StartSandboxOptions = {},
): Promise<RunningSandbox & Readonly<{ client: Client }>> {
  const sandbox = await startSandbox(options);
  onCleanup(sandbox.stop);
  return { ...sandbox, client: createClient(sandbox.url, sandbox.clock.nowMs) };
}
