import {
  type Started,
  startSandbox,
  type StartOptions,
} from '../../../packages/sandbox/test/support/start.ts';
import { until } from '../../../packages/sandbox/test/support/until.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type FakeWorld, fakeWorld, type Ran, type WorldOptions } from './fake-world.ts';

export type SandboxWorld = Started &
  Readonly<{
    /** Runs `bursar sandbox ...` against this sandbox. */
    run(...args: string[]): Promise<Ran>;
    json(...args: string[]): ReturnType<FakeWorld['json']>;
    /** Starts a command that ends with Ctrl-C only. */
    begin(...args: string[]): Running;
  }>;

export type Running = Readonly<{
  /** Resolves when the command has written this text. */
  wrote(text: string): Promise<void>;
  /** Presses Ctrl-C and waits for the end. */
  interrupt(): Promise<Ran>;
}>;

export type SandboxWorldOptions = StartOptions & Pick<WorldOptions, 'onPause'>;

/** A real sandbox on a clock that stands still, and a command line that talks to it. */
export async function sandboxWorld(options: SandboxWorldOptions = {}): Promise<SandboxWorld> {
  const started = await startSandbox(options);
  const { onPause } = options;
  const world = (interrupted?: AbortSignal) =>
    fakeWorld({
      cwd: temporaryFolder(),
      env: { BURSAR_SANDBOX_LISTEN: new URL(started.url).host },
      ...(onPause === undefined ? {} : { onPause }),
      ...(interrupted === undefined ? {} : { interrupted }),
    });
  return {
    ...started,
    run: (...args) => world().run('sandbox', ...args),
    json: (...args) => world().json('sandbox', ...args),
    begin(...args) {
      const controller = new AbortController();
      const made = world(controller.signal);
      const ended = made.run('sandbox', ...args);
      return {
        wrote: (text) =>
          until(started, async () =>
            `${made.terminal.printed()}${made.terminal.said()}`.includes(text),
          ),
        interrupt() {
          controller.abort();
          return ended;
        },
      };
    },
  };
}
