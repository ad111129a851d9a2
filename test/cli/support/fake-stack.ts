import type { BursarError } from '../../../src/domain/errors/bursar-error.ts';
import type { Stack, StackOptions } from '../../../src/local-stack/index.ts';
import { ACCOUNT } from '../../support/store-fixtures.ts';

export type FakeStack = Readonly<{
  /** What was asked for at each start. */
  asked: StackOptions[];
  stopped: () => number;
  start(options: StackOptions): Promise<Stack>;
  /** Lets a process die. */
  die(error: BursarError<'PROCESS_DIED'>): void;
}>;

/** A stack without processes; commands that talk to it get the sandbox of nobody. */
export function fakeStack(): FakeStack {
  const asked: StackOptions[] = [];
  let stops = 0;
  let die: FakeStack['die'] = () => undefined;
  const died = new Promise<BursarError<'PROCESS_DIED'>>((resolve) => {
    die = resolve;
  });
  return {
    asked,
    stopped: () => stops,
    die: (error) => die(error),
    async start(options) {
      asked.push(options);
      options.say('temporal ready');
      return {
        addresses: {
          temporal: '127.0.0.1:7233',
          ui: 'http://127.0.0.1:8233',
          bridge: 'http://127.0.0.1:8787',
          ...(options.sandbox === false ? {} : { sandbox: 'http://127.0.0.1:8788' }),
        },
        env: {
          ...options.env,
          TEMPORAL_ADDRESS: '127.0.0.1:7233',
          BURSAR_API_KEY: 'local',
          BURSAR_API_BASE_URL: 'http://127.0.0.1:8788',
          BURSAR_API_ACCOUNT: ACCOUNT,
          BURSAR_BRIDGE_LISTEN: `127.0.0.1:${options.ports === 'free' ? 4711 : 8787}`,
        },
        processes: [],
        died,
        async stop() {
          stops += 1;
        },
      };
    },
  };
}
