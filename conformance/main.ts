import { fileURLToPath } from 'node:url';
import type { Given } from './given.ts';
import { type Options, readOptions, type Target, USAGE, UsageError } from './options.ts';
import { SANDBOX_PAYMENT, startSandbox } from './own-sandbox.ts';
import { startReceiver } from './receiver.ts';
import { createService } from './service.ts';
import { runChecks, type Tried } from './suite.ts';
import { countsOf, lineOf, markdownOf } from './table.ts';

const SANDBOX = fileURLToPath(new URL('../src/sandbox/main.js', import.meta.url));
const EXIT_BROKEN = 1;
const EXIT_USAGE = 2;
const TIMEOUT_MS = 30_000;

const write = (text: string): void => void process.stdout.write(`${text}\n`);

async function main(options: Options): Promise<readonly Tried[]> {
  if (options.target !== null) {
    const { publicUrl } = options.webhook;
    return run(options.target, { options, isReachable: publicUrl !== null });
  }
  const sandbox = await startSandbox(SANDBOX, process.env);
  try {
    const all = { ...options, mayLeaveObjects: true, payment: options.payment ?? SANDBOX_PAYMENT };
    return await run(sandbox.target, { options: all, isReachable: true });
  } finally {
    await sandbox.stop();
  }
}

async function run(
  target: Target,
  { options, isReachable }: Readonly<{ options: Options; isReachable: boolean }>,
): Promise<readonly Tried[]> {
  const receiver = isReachable ? await startReceiver(options.webhook) : null;
  const { payment, patienceMs, mayLeaveObjects, only, format } = options;
  const given: Given = { account: target.account, payment, receiver, patienceMs };
  try {
    return await runChecks({
      service: createService({ ...target, timeoutMs: TIMEOUT_MS }),
      given,
      mayLeaveObjects,
      only,
      ...(format === 'text' ? { onTried: (tried: Tried) => write(lineOf(tried)) } : {}),
    });
  } finally {
    receiver?.close();
  }
}

function print(tried: readonly Tried[], { format }: Options): void {
  if (format === 'json') write(JSON.stringify({ schema: 'bursar.conformance/v1', checks: tried }));
  else if (format === 'markdown') write(markdownOf(tried));
  else write(`\n${countsOf(tried)}`);
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) write(USAGE);
  else {
    const tried = await main(options);
    print(tried, options);
    if (tried.some(({ verdict }) => verdict.kind === 'broken')) process.exitCode = EXIT_BROKEN;
  }
} catch (error) {
  const text = error instanceof UsageError ? `${error.message}\n\n${USAGE}` : String(error);
  process.stderr.write(`${text}\n`);
  process.exitCode = error instanceof UsageError ? EXIT_USAGE : EXIT_BROKEN;
}
