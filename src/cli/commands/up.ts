import { maskedUrl } from '../../domain/text/masked-url.ts';
import type { Env, Settings } from '../../config.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { loadSettings } from '../../operations/batch/sources.ts';
import type { Context } from '../context.ts';
import { printResult } from '../print/output.ts';
import type { Stack } from '../../local-stack/index.ts';
import { sharedEnvOf } from '../../local-stack/stack-env.ts';
import { listenText } from '../../local-stack/stack-ports.ts';
import { factLines } from '../terminal/table.ts';

type UpFlags = Readonly<{
  /** `--no-sandbox` makes it false. */
  sandbox?: boolean;
  freePorts?: boolean;
  encrypt?: boolean;
}>;

/** `bursar up`: the whole local stack, until Ctrl-C. */
export async function up(flags: UpFlags, context: Context): Promise<number> {
  const settings = await loadSettings(context);
  const withoutSandbox = flags.sandbox === false;
  if (withoutSandbox) {
    const { readApiSecret, requireApi } = await import('../../config.ts');
    requireApi(settings);
    readApiSecret(settings);
  }
  const stack = await context.open.stack({
    settings,
    env: context.env,
    cwd: context.cwd,
    ports: flags.freePorts ? 'free' : 'fixed',
    ...(withoutSandbox ? { sandbox: false } : {}),
    ...(flags.encrypt ? { encrypt: true } : {}),
    say: context.say,
  });
  try {
    printStack(stack, settings, context);
    await untilStopped(stack.died, context);
    return EXIT.done;
  } finally {
    await stack.stop();
  }
}

/** Waits for Ctrl-C. Throws PROCESS_DIED when a process of the stack ends by itself. */
export async function untilStopped(
  died: Stack['died'],
  { interrupted, say }: Context,
): Promise<void> {
  const death = await Promise.race([died, aborted(interrupted)]);
  if (death instanceof BursarError) throw death;
  say('Stopping ...');
}

/** Waits for `work`. Throws PROCESS_DIED when a process of the stack ends before. */
export const orDeath = <Result>({ died }: Stack, work: Promise<Result>): Promise<Result> =>
  Promise.race([
    work,
    died.then((death) => {
      throw death;
    }),
  ]);

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

function printStack({ addresses, env }: Stack, { api, bridge }: Settings, context: Context): void {
  const known: Env = { ...context.env, BURSAR_BRIDGE_LISTEN: listenText(bridge.listen) };
  const shared = Object.entries(sharedEnvOf(env)).filter(([name, value]) => value !== known[name]);
  const text = [
    context.colours.bold('Bursar is up.'),
    ...factLines([
      ['Temporal', addresses.temporal],
      ['web UI', addresses.ui],
      ['bridge', addresses.bridge],
      ...(addresses.codecServer === undefined
        ? []
        : [['encryption', encryptionText(addresses, env)] as const]),
      addresses.sandbox === undefined
        ? ['service', `${maskedUrl(api.baseUrl ?? '')}, from the settings; no sandbox is started`]
        : ['sandbox', addresses.sandbox],
    ]),
    '',
    'In another terminal, in the same folder:',
    '  eval "$(bursar env)"',
    '  bursar submit FILE',
    '  bursar serve          # the web app',
    '',
    'Ctrl-C stops everything. Batches continue at the next start.',
  ].join('\n');
  const json = { schema: 'bursar.stack/v1', addresses, env: Object.fromEntries(shared) };
  printResult(context, { json, text });
}

const encryptionText = ({ ui, codecServer }: Stack['addresses'], env: Env): string =>
  `keys in ${env['BURSAR_TEMPORAL_KEY_RING_FILE']}; keep a copy. The codec server at ${codecServer} decrypts for the web UI at ${ui}, and for no other page`;

/** `npm run temporal`: Temporal's dev server alone, in the foreground, until Ctrl-C. */
export async function runTemporal(_flags: object, context: Context): Promise<number> {
  const { env, cwd, say } = context;
  const temporal = await context.open.temporalAlone({ env, cwd, say });
  try {
    const { name, log } = temporal;
    const died = temporal.ended.then(
      (code) => new BursarError('PROCESS_DIED', { name, code, log }),
    );
    await untilStopped(died, context);
    return EXIT.done;
  } finally {
    await temporal.stop();
  }
}
