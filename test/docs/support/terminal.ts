import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../../support/eventually.ts';

/** What makes the steps quick; where it makes a difference, the book says how it is in earnest. */
const QUICK = {
  BURSAR_SANDBOX_STEP_MS: '100',
  BURSAR_POLL_MIN_MS: '200',
  BURSAR_POLL_MAX_MS: '1000',
  BURSAR_WATCH_EVERY_MS: '500',
};

const STARTER = fileURLToPath(new URL('../../../build/programs/starter.js', import.meta.url));

/** What a terminal shows of a command, errors and data as they come, and how it ended. */
export type Ended = Readonly<{ code: number | null; printed: string }>;

/** The terminal in which commands are typed, and the one in which `bursar up` goes on. */
export function openTerminals(folder: string) {
  const outside = outsideEnv();
  let copied: Record<string, string> = {};
  let stopUp = async (): Promise<void> => undefined;

  return {
    /** The variables of `bursar env`. */
    copied: (): Readonly<Record<string, string>> => copied,
    /** Types a command, word for word; only `npx` is what stands in the build folder of this repository. */
    async type(command: string): Promise<Ended> {
      const npx = `npx() { shift; "$NODE" "$STARTER" "$@"; }`;
      const child = spawn('sh', ['-c', `{ ${npx}\n${command}\n} 2>&1`], {
        cwd: folder,
        env: { ...outside, ...QUICK, ...copied, NODE: process.execPath, STARTER },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let printed = '';
      child.stdout.on('data', (text) => {
        printed += String(text);
      });
      const [code] = (await once(child, 'close')) as [number | null];
      return { code, printed };
    },
    /** Runs `bursar up` in the other terminal, and takes the variables of `bursar env`. Answers with what it printed. */
    async startUp(): Promise<string> {
      const log = join(folder, 'up.log');
      const out = openSync(log, 'w');
      const up = spawn(process.execPath, [STARTER, 'up', '--free-ports'], {
        cwd: folder,
        env: { ...outside, ...QUICK },
        stdio: ['ignore', out, out],
      });
      closeSync(out);
      stopUp = async () => {
        if (up.exitCode !== null) return;
        const ended = once(up, 'exit');
        up.kill('SIGINT');
        await ended;
      };
      const printed = await eventually('bursar up is ready', () => {
        const text = readFileSync(log, 'utf8');
        if (up.exitCode !== null) throw new Error(`bursar up ended with ${up.exitCode}: ${text}`);
        return text.includes('Ctrl-C stops everything') ? text : undefined;
      });
      const asked = spawnSync(process.execPath, [STARTER, 'env', '-o', 'json'], {
        cwd: folder,
        env: outside,
        encoding: 'utf8',
      });
      copied = (JSON.parse(asked.stdout) as { env: Record<string, string> }).env;
      return printed;
    },
    /** Ctrl-C in the other terminal. */
    stopUp: () => stopUp(),
  };
}

/** The environment without any setting of the person who runs the tests; times are shown as in the book. */
function outsideEnv(): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    ([name]) => name === 'BURSAR_TEMPORAL_CLI' || !/^(BURSAR|TEMPORAL)_/.test(name),
  );
  return { ...(Object.fromEntries(kept) as Record<string, string>), NO_COLOR: '1', TZ: 'UTC' };
}
