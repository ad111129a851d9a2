import { NativeConnection } from '@temporalio/worker';
import type { TemporalAccess } from './codec/temporal-access.ts';
import { ADDRESS_DEFAULT } from './operations/engine/limits.ts';
import { SEARCH_ATTRIBUTES } from './contract/names.ts';
import { BursarError } from './domain/errors/bursar-error.ts';
import { maskedUrl } from './domain/text/masked-url.ts';

/** Where the worker logs. */
export type WarningLog = Readonly<{ warn(facts: object, message: string): void }>;

/** Waits between two tries to reach Temporal at start, in milliseconds. */
const CONNECT_DELAY_MS = 1_000;
/**
 * How long a connection may take before a line shows that the worker waits: a server may accept and not answer.
 * Milliseconds.
 */
const TOLD_AFTER_MS = 5_000;

/**
 * Connects to Temporal, however long it takes to come up: a worker is often started beside it. A signal that stops the worker ends the
 * process, since nothing runs yet.
 * @throws SETTINGS_INVALID when no server can ever be reached with these settings
 */
export async function connect(
  { connectionOptions }: TemporalAccess,
  log: WarningLog,
): Promise<NativeConnection> {
  const say = sayOnce(
    log,
    `waiting for Temporal at ${connectionOptions.address ?? ADDRESS_DEFAULT}`,
  );
  const slow = setTimeout(() => say('it does not answer'), TOLD_AFTER_MS);
  for (const signal of STOP_SIGNALS) process.once(signal, endBySignal);
  try {
    for (;;) {
      try {
        return await NativeConnection.connect(connectionOptions);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        // The SDK throws a TypeError for options that it cannot use, before it tries anything.
        if (error instanceof TypeError) throw unusable(reason);
        say(reason);
        await new Promise((resolve) => setTimeout(resolve, CONNECT_DELAY_MS));
      }
    }
  } finally {
    clearTimeout(slow);
    for (const signal of STOP_SIGNALS) process.off(signal, endBySignal);
  }
}

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** The SDK listens to the first signal, and stops workers by it. There is none yet, so the signal is sent again, and ends the process. */
const endBySignal = (signal: NodeJS.Signals): void => {
  process.kill(process.pid, signal);
};

function sayOnce(log: WarningLog, text: string): (reason: string) => void {
  let isSaid = false;
  return (reason) => {
    if (!isSaid) log.warn({ reason: maskedUrl(reason) }, maskedUrl(text));
    isSaid = true;
  };
}

const unusable = (reason: string): BursarError =>
  new BursarError('SETTINGS_INVALID', {
    problems: `TEMPORAL_ADDRESS, or the profile of Temporal, cannot be used: ${maskedUrl(reason)}`,
  });

/** Numbers of Temporal's API for the types of search attributes. */
const INDEXED_VALUE_TYPES = { KEYWORD: 2, INT: 3, BOOL: 5, DATETIME: 6, KEYWORD_LIST: 7 } as const;

/** Adds the search attributes that the namespace lacks. Where that is not allowed, a person has to. */
export async function registerSearchAttributes(
  connection: NativeConnection,
  namespace: string,
  log: WarningLog,
): Promise<void> {
  const types = Object.entries(SEARCH_ATTRIBUTES);
  try {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(
        types.map(([name, type]) => [name, INDEXED_VALUE_TYPES[type]]),
      ),
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const list = types.map(([name, type]) => `${name}=${type}`).join(', ');
    log.warn({ reason: maskedUrl(reason), needed: list }, 'search attributes could not be added');
  }
}
