import { COMMON_FAULTS, type NetworkFault, type TcpProxy } from '../stack/tcp-proxy.ts';
import { type Fault, untilMet } from './fault.ts';

const LASTS_MS = [3_000, 6_000] as const;

/** What the network to a server does wrong. */
export const networkFaults = (
  where: string,
  proxy: TcpProxy,
  kinds: readonly NetworkFault[] = COMMON_FAULTS,
): Fault[] =>
  kinds.map((kind) => ({
    name: `network to ${where}: ${kind}`,
    lastsMs: LASTS_MS,
    async happen(ms) {
      const before = proxy.fired();
      proxy.play(kind);
      const met = await untilMet(ms, () => proxy.fired() - before);
      proxy.play(undefined);
      return met;
    },
  }));
