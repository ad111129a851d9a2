import type { AdminModeValues } from '@bursar/sandbox/admin';
import type { SandboxCalls } from './client.ts';

/*
 * What changes a sandbox, with the names that its admin API uses.
 */

/** Amounts as they are typed: plain decimals. */
export const PLAIN_DECIMAL = /^\d{1,40}(\.\d{1,40})?$/;

export type TopUp = Readonly<{
  amount: string;
  currency: string;
  account?: string | undefined;
  opCode?: string | undefined;
}>;

export const topUp = (sandbox: SandboxCalls, body: TopUp) =>
  sandbox.call({ endpoint: 'POST /top-up', body });

export type Announcement = Readonly<{
  type: string;
  account?: string | undefined;
  overrides?: Readonly<Record<string, unknown>> | undefined;
}>;

export const announce = (sandbox: SandboxCalls, body: Announcement) =>
  sandbox.call({ endpoint: 'POST /events', body });

export const addFault = (sandbox: SandboxCalls, body: Readonly<Record<string, unknown>>) =>
  sandbox.call({ endpoint: 'POST /faults', body });

/** Takes away one fault, or all of them; answers with those that are left. */
export const clearFaults = (sandbox: SandboxCalls, id?: number) =>
  sandbox.call({ endpoint: 'DELETE /faults', query: { id } });

export const readModes = (sandbox: SandboxCalls) => sandbox.call({ endpoint: 'GET /modes' });

/** Changes some modes and leaves what was set before. */
export async function setModes(sandbox: SandboxCalls, changes: AdminModeValues) {
  const { overrides } = await readModes(sandbox);
  return replaceModes(sandbox, { ...overrides, ...changes });
}

/** What stands here wins over the settings; every other mode follows them. */
export const replaceModes = (sandbox: SandboxCalls, body: AdminModeValues) =>
  sandbox.call({ endpoint: 'PUT /modes', body });

/** Null gives the clock back to the settings. */
export const setClock = (sandbox: SandboxCalls, offsetMs: number | null) =>
  sandbox.call({ endpoint: 'PUT /clock', body: { offsetMs } });
