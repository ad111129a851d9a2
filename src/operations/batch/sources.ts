import { storeFile } from '../../domain/store/store-url.ts';
import type { Sources } from './types.ts';
import { access } from 'node:fs/promises';
import type { Settings } from '../../config.ts';
import type { Store } from '../../store/index.ts';
import type { OperationContext } from '../context.ts';
import { isBursarError } from '../../domain/errors/bursar-error.ts';
import type { Patience } from '../engine/connect.ts';
import type { Engine } from '../engine/engine.ts';
import { CALL_MS_MAX } from '../engine/limits.ts';
import { isKnownOwnStore, refuseForeignQueue } from './own-store.ts';

/**
 * Opens settings and store for `use`, and closes everything that was opened. Shows the warnings of settings. @throws
 * STORE_IS_ANOTHER when the workers of the task queue use another store: that one has other batches. Where Temporal
 * does not answer soon, `use` still runs, since many commands need the store alone.
 */
export const withSources = <Result>(
  context: OperationContext,
  use: (sources: Sources) => Promise<Result>,
): Promise<Result> =>
  withAnySources(context, async (sources) => {
    await refuseQuickly(sources);
    return use(sources);
  });

/**
 * {@link withSources} for the commands that only show records of the store. They call no Temporal for the comparison
 * where a worker of the task queue used this store a moment ago.
 */
export const withSourcesToRead = <Result>(
  context: OperationContext,
  use: (sources: Sources) => Promise<Result>,
): Promise<Result> =>
  withAnySources(context, async (sources) => {
    if (!(await isKnownOwnStore(sources, context.clock))) await refuseQuickly(sources);
    return use(sources);
  });

async function refuseQuickly(sources: OpenSources): Promise<void> {
  const asked = { ...sources, engine: () => sources.engine(QUICK) };
  await refuseForeignQueue(asked).catch((error: unknown) => {
    if (isBursarError(error) && error.code === 'STORE_IS_ANOTHER') throw error;
  });
}

/** How long a command waits, in milliseconds, to compare its store with that of the workers. */
const QUICK: Patience = { connectMs: 0, callMs: 2_000 };

/** The patience of a command that has an answer without Temporal. */
export const ONE_TRY: Patience = { connectMs: 0, callMs: CALL_MS_MAX };

type OpenSources = Sources & Readonly<{ engine(patience?: Patience): Promise<Engine> }>;

/** {@link withSources} for the commands that show which store is the right one, or change that. */
export async function withAnySources<Result>(
  context: OperationContext,
  use: (sources: OpenSources) => Promise<Result>,
): Promise<Result> {
  const settings = await loadSettings(context);
  const store = await context.open.store(settings);
  let engine: Promise<Engine> | undefined;
  const openEngine = async (patience?: Patience): Promise<Engine> => {
    engine ??= context.open.engine(settings, context.env, patience);
    try {
      return await engine;
    } catch (error) {
      // The next caller may have more patience.
      engine = undefined;
      throw error;
    }
  };
  try {
    return await use({ settings, store, engine: openEngine });
  } finally {
    // The caller that opened the connection has reported its error already.
    await engine?.then((open) => open.close()).catch(() => undefined);
    await store.close();
  }
}

/** Opens the store for `use` where there is one, and closes it; none is made. */
export async function withStoreIfAny<Result>(
  settings: Settings,
  { open }: OperationContext,
  use: (store: Store | null) => Promise<Result>,
): Promise<Result> {
  if (!(await storeExists(settings.store.url))) return use(null);
  const store = await open.store(settings);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** Only a store in a file can be missing. */
async function storeExists(url: string): Promise<boolean> {
  const file = storeFile(url);
  if (file === undefined) return true;
  return access(file).then(
    () => true,
    (error: unknown) => (error as NodeJS.ErrnoException).code !== 'ENOENT',
  );
}

/** Reads the settings, and shows their warnings. Throws SETTINGS_INVALID. */
export async function loadSettings(context: OperationContext): Promise<Settings> {
  const settings = await context.open.settings(context);
  for (const warning of settings.warnings) context.say(`Warning: ${warning}`);
  return settings;
}
