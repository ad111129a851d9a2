import { Connection } from '@temporalio/client';
import type { Child } from '../processes/child.ts';

/** How long Temporal may answer nothing before it is started again, in milliseconds. */
export const SILENCE_MS_MAX = 30_000;

/** Time between two probes, in milliseconds. */
const PROBE_MS = 5_000;

/** How long one probe may take, in milliseconds. */
const ANSWER_MS_MAX = 5_000;

/** Probes that must fail before a silence counts: this process may have had no processor time itself. */
const FAILED_MIN = 3;

export type Probe = Readonly<{
  /** Whether Temporal answers. It never rejects. */
  answers(): Promise<boolean>;
  close(): Promise<void>;
}>;

/** Probes a server by a read of its database: a server whose database is stuck still answers what it has in memory. */
export function openProbe(address: string): Probe {
  const connection = Connection.lazy({ address });
  return {
    async answers(): Promise<boolean> {
      try {
        await connection.withDeadline(Date.now() + ANSWER_MS_MAX, () =>
          connection.workflowService.listNamespaces({ pageSize: 1 }),
        );
        return true;
      } catch {
        return false;
      }
    },
    close: () => connection.close(),
  };
}

export type WatchdogDeps = Readonly<{
  probe: Probe;
  /** Starts the server again, on the same ports and the same database. */
  start(): Promise<Child>;
  say(line: string): void;
  /** A clock that never jumps, in milliseconds. */
  nowMs(): number;
  /** Waits, and returns early when the signal is aborted. */
  pause(delayMs: number, signal: AbortSignal): Promise<void>;
  silenceMs?: number;
}>;

/**
 * Watches a running server, and starts it again when it answers nothing for `silenceMs`. The result is the server as one child:
 * it ends when a server ends by itself, or when it cannot be started again.
 */
export function watched(first: Child, deps: WatchdogDeps): Child {
  const { probe, start, say, nowMs, pause, silenceMs = SILENCE_MS_MAX } = deps;
  const stopping = new AbortController();
  let current = first;
  let reportEnd: (how: string) => void = () => undefined;
  const ended = new Promise<string>((resolve) => {
    reportEnd = resolve;
  });

  function follow(child: Child): void {
    current = child;
    void child.ended.then((how) => {
      if (child === current) reportEnd(how);
    });
  }

  async function startAgain(): Promise<void> {
    const stuck = current;
    // Its end is meant, and no end of the server.
    current = { ...stuck };
    say(`temporal answered nothing for ${Math.round(silenceMs / 1000)} s: it is started again`);
    await stuck.stop();
    if (stopping.signal.aborted) return reportEnd(await stuck.ended);
    follow(await start());
    say('temporal ready again');
  }

  async function watch(): Promise<void> {
    let answeredMs = nowMs();
    let failed = 0;
    while (!stopping.signal.aborted) {
      await pause(PROBE_MS, stopping.signal);
      if (stopping.signal.aborted) return;
      if (await probe.answers()) {
        answeredMs = nowMs();
        failed = 0;
        continue;
      }
      failed += 1;
      if (failed < FAILED_MIN || nowMs() - answeredMs < silenceMs) continue;
      await startAgain();
      answeredMs = nowMs();
      failed = 0;
    }
  }

  follow(first);
  const watching = watch().catch((error: unknown) => {
    reportEnd(`not started again: ${error instanceof Error ? error.message : String(error)}`);
  });
  return {
    name: first.name,
    log: first.log,
    get pid() {
      return current.pid;
    },
    ended,
    async stop(): Promise<void> {
      stopping.abort();
      await watching;
      await probe.close();
      await current.stop();
    },
  };
}
