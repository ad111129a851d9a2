import type { Sandbox } from './client.ts';
import { Announced } from './event-records.ts';
import { ToppedUp } from './money-records.ts';
import { Clock, Fault, Faults, Modes, type ModeValues } from './play-records.ts';

/*
 * What changes a sandbox, with the names that its admin API uses.
 */

type Asking = Pick<Sandbox, 'ask'>;

/** Amounts as they are typed: plain decimals. */
export const PLAIN_DECIMAL = /^\d{1,40}(\.\d{1,40})?$/;

export type TopUp = Readonly<{
  amount: string;
  currency: string;
  account?: string | undefined;
  opCode?: string | undefined;
}>;

export const topUp = (sandbox: Asking, body: TopUp) =>
  sandbox.ask({ method: 'POST', path: '/top-up', body, answer: ToppedUp });

export type Announcement = Readonly<{
  type: string;
  account?: string | undefined;
  overrides?: Readonly<Record<string, unknown>> | undefined;
}>;

export const announce = (sandbox: Asking, body: Announcement) =>
  sandbox.ask({ method: 'POST', path: '/events', body, answer: Announced });

export const addFault = (sandbox: Asking, body: Readonly<Record<string, unknown>>) =>
  sandbox.ask({ method: 'POST', path: '/faults', body, answer: Fault });

/** Takes away one fault, or all of them; answers with those that are left. */
export const clearFaults = (sandbox: Asking, id?: number) =>
  sandbox.ask({ method: 'DELETE', path: '/faults', query: { id }, answer: Faults });

export const readModes = (sandbox: Asking) => sandbox.ask({ path: '/modes', answer: Modes });

/** Changes some modes and leaves what was set before. */
export async function setModes(sandbox: Asking, changes: ModeValues) {
  const { overrides } = await readModes(sandbox);
  return replaceModes(sandbox, { ...overrides, ...changes });
}

/** What stands here wins over the settings; every other mode follows them. */
export const replaceModes = (sandbox: Asking, body: ModeValues) =>
  sandbox.ask({ method: 'PUT', path: '/modes', body, answer: Modes });

/** Null gives the clock back to the settings. */
export const setClock = (sandbox: Asking, offsetMs: number | null) =>
  sandbox.ask({ method: 'PUT', path: '/clock', body: { offsetMs }, answer: Clock });
