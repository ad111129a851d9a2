import { NativeConnection } from '@temporalio/worker';
import type { TemporalPlace } from './codec/temporal-place.ts';
import { SEARCH_ATTRIBUTES } from './contract/names.ts';
import { maskedUrl } from './domain/text/masked-url.ts';

/** Waits between two tries to reach Temporal at start, in milliseconds. */
const CONNECT_DELAY_MS = 1_000;

/** Connects to Temporal, however long it takes to come up: a worker is often started beside it. */
export async function connect({ connectionOptions }: TemporalPlace): Promise<NativeConnection> {
  for (let told = false; ; told = true) {
    try {
      return await NativeConnection.connect(connectionOptions);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!told) process.stderr.write(`waiting for Temporal (${maskedUrl(reason)})\n`);
      await new Promise((resolve) => setTimeout(resolve, CONNECT_DELAY_MS));
    }
  }
}

/** Numbers of Temporal's API for the types of search attributes. */
const INDEXED_VALUE_TYPES = { KEYWORD: 2, INT: 3, BOOL: 5, DATETIME: 6, KEYWORD_LIST: 7 } as const;

/** Adds the search attributes that the namespace lacks. Where that is not allowed, a person has to. */
export async function registerSearchAttributes(
  connection: NativeConnection,
  namespace: string,
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
    process.stderr.write(
      `search attributes could not be added (${maskedUrl(reason)}); needed: ${list}\n`,
    );
  }
}
