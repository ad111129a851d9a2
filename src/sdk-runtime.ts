import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { AdminPort } from './admin-port.ts';
import type { Settings } from './config.ts';
import { type createLog, sdkLines } from './monitoring/log.ts';

type RuntimeParts = Readonly<{
  settings: Settings;
  log: ReturnType<typeof createLog>;
  sdkAddress: AdminPort['sdkAddress'];
}>;

const SDK_LEVELS = { debug: 'DEBUG', info: 'INFO', warn: 'WARN', error: 'ERROR' } as const;

/** A runtime ends with its last worker and connection, so each opening of the store installs one. */
export function installRuntime({ settings, log, sdkAddress }: RuntimeParts): void {
  Runtime.install({
    logger: new DefaultLogger(SDK_LEVELS[settings.log.level], sdkLines(log)),
    telemetryOptions: {
      logging: { filter: { core: 'WARN', other: 'WARN' }, forward: {} },
      ...(sdkAddress !== undefined && { metrics: sdkMetrics(sdkAddress) }),
    },
  });
}

/** The metrics of the SDK, with the units in their names. */
const sdkMetrics = (bindAddress: string) => ({
  prometheus: {
    bindAddress,
    countersTotalSuffix: true,
    unitSuffix: true,
    useSecondsForDurations: true,
  },
});
