import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Logger, pino } from 'pino';
import type { SandboxClock } from './clock.ts';
import { createFrontServer } from './http/front-server.ts';
import type { SandboxServerSettings } from './settings.ts';
import { createStateControl } from './state-control.ts';
import { createWorld } from './world.ts';

export type Sandbox = Readonly<{
  /**
   * Continues with the stored state, then answers requests. With port 0 in the settings the system
   * chooses a free port.
   */
  listen(): Promise<{ url: string }>;
  /** Stops everything and closes the store. A closed sandbox cannot listen again. */
  close(): Promise<void>;
}>;

export type SandboxOptions = Readonly<{
  settings: SandboxServerSettings;
  clock: SandboxClock;
  /** The caller removes the store's file after `close`, so no commit waits for the disk. */
  isTemporary?: boolean;
  /** False: every webhook counts as delivered, and none is sent. */
  sendsWebhooks?: boolean;
  /** Without it nothing is logged. */
  log?: Logger;
}>;

/** Builds a whole service. Throws StoreUnusable when the store cannot be opened. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const { settings, clock, log = pino({ level: 'silent' }) } = options;
  const { isTemporary = false, sendsWebhooks = true } = options;
  const base = { settings, clock, startMs: clock.nowMs(), isTemporary, sendsWebhooks, log };
  const states = createStateControl({
    storePath: settings.storePath,
    nowMs: clock.nowMs,
    open: (control) => createWorld({ ...base, states: control }),
    beforeReplacing: cutOperations,
  });
  const open = new Map<ServerResponse, IncomingMessage>();
  const front = createFrontServer({
    nowMs: () => states.shownMs(),
    dispatch(request, response) {
      open.set(response, request);
      response.on('close', () => void open.delete(response));
      states.dispatch(request, response);
    },
  });

  /** No request waits for the answer of a service that is gone. */
  function cutOperations(): void {
    for (const [response, { url = '' }] of open) if (!isAdmin(url)) response.destroy();
  }

  return {
    async listen() {
      await states.start();
      return { url: await front.listen(settings.listen) };
    },
    async close() {
      await Promise.all([front.close(), states.close()]);
    },
  };
}

/** Requests of the admin API end by themselves, except the stream of events. */
const isAdmin = (url: string): boolean =>
  url.startsWith('/sandbox/') && !url.startsWith('/sandbox/events/stream');
