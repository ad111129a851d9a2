import { setTimeout as pause } from 'node:timers/promises';
import { Connection, isGrpcServiceError } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';

export const NAMESPACE = 'default';

/** How long Temporal remembers a closed batch, and so refuses its id to another one. A dev server's own default is a day. */
const RETENTION = '90 days';

/** The numbers that Temporal's API gives to the types of search attributes. */
const ATTRIBUTE_TYPES: Readonly<Record<string, number>> = {
  Text: 1,
  Keyword: 2,
  Int: 3,
  Double: 4,
  Bool: 5,
  Datetime: 6,
  KeywordList: 7,
};

/** Codes of gRPC. */
const NOT_FOUND = 5;
const ALREADY_EXISTS = 6;
/** How long a server may take to serve a new namespace. Milliseconds. */
const TAKEN_UP_MS_MAX = 30_000;
const POLL_MS = 200;

/** True once the server at this address serves its namespace. */
export async function servesNamespace(address: string): Promise<boolean> {
  let connection: Connection | undefined;
  try {
    connection = await Connection.connect({ address, connectTimeout: '1s' });
    await connection.workflowService.describeNamespace({ namespace: NAMESPACE });
    return true;
  } catch {
    // Not yet: the caller asks again, and gives up when the process has ended or its time is over.
    return false;
  } finally {
    await connection?.close();
  }
}

/** A namespace, and the names and types of its search attributes. */
type NamespaceWish = Readonly<{
  namespace: string;
  searchAttributes: ReadonlyMap<string, string>;
}>;

/**
 * Makes the namespace unless it exists, sets its retention and adds what search attributes it lacks.
 * The flags of the command line only count for a new database, so this is done at every start.
 */
export async function prepareNamespace(
  address: string,
  { namespace, searchAttributes }: NamespaceWish,
): Promise<void> {
  const connection = await Connection.connect({ address });
  const { workflowService, operatorService } = connection;
  const retention = msToTs(RETENTION);
  try {
    await unless(ALREADY_EXISTS, () =>
      workflowService.registerNamespace({
        namespace,
        workflowExecutionRetentionPeriod: retention,
      }),
    );
    await workflowService.updateNamespace({
      namespace,
      config: { workflowExecutionRetentionTtl: retention },
    });
    const types = Object.fromEntries(
      [...searchAttributes].map(([name, type]) => [name, typeNumber(type)]),
    );
    const add = () => operatorService.addSearchAttributes({ namespace, searchAttributes: types });
    // A server takes a new namespace up after some seconds.
    const sinceMs = performance.now();
    while (!(await unless(NOT_FOUND, add))) {
      if (performance.now() - sinceMs > TAKEN_UP_MS_MAX)
        throw new Error(`no namespace ${namespace}`);
      await pause(POLL_MS);
    }
  } finally {
    await connection.close();
  }
}

/** Makes a call. Returns false when the server answers with this code of gRPC. */
async function unless(code: number, call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call();
    return true;
  } catch (error) {
    const found: number | undefined = isGrpcServiceError(error) ? error.code : undefined;
    if (found === code) return false;
    throw error;
  }
}

function typeNumber(type: string): number {
  const number = ATTRIBUTE_TYPES[type];
  if (number === undefined)
    throw new Error(`temporal-dev.yml: ${type} is no search attribute type`);
  return number;
}
