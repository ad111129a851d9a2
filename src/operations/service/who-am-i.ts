import { loadTemporalAccess } from '../../codec/temporal-access.ts';
import { ACCOUNT_VARIABLE, settingsPathOf, type Settings } from '../../config.ts';
import { type ErrorNote, isBursarError } from '../../domain/errors/bursar-error.ts';
import type { ServicePlace } from '../../domain/service/place.ts';
import { maskedUrl } from '../../domain/text/masked-url.ts';
import { actorOf } from '../batch/actor.ts';
import { loadSettings, ONE_TRY } from '../batch/sources.ts';
import type { OperationContext } from '../context.ts';
import { ADDRESS_DEFAULT } from '../engine/limits.ts';
import { placeOf } from './place.ts';
import { readBalances, withService } from './preflight.ts';

/** Everything that says where a command works and as whom. Addresses have no secrets. Null: not set. */
export type WhoAmI = ServicePlace &
  Readonly<{
    schema: 'bursar.whoami/v1';
    /** One of `[accounts.NAME]`. */
    accountName: string | null;
    /** The public key of the service, by which it recognises the caller. */
    keyId: string | null;
    /** The settings file. */
    settingsFile: string | null;
    store: string;
    files: string;
    temporal: Readonly<{ address: string; namespace: string; taskQueue: string }>;
    /** The person in the audit log. */
    user: string;
    /** The private key that signs approvals. */
    signingKeyFile: string | null;
    version: string;
    /** Null: nothing was asked. */
    checks: readonly ConnectionCheck[] | null;
  }>;

/** Whether something answers. `problem`: null where it does. */
export type ConnectionCheck = Readonly<{
  name: 'service' | 'store' | 'temporal';
  problem: ErrorNote | null;
}>;

/** Returns where a command works and as whom. Asks over the network only with `check`. @throws SETTINGS_INVALID */
export async function whoAmI(
  { check }: Readonly<{ check: boolean }>,
  context: OperationContext,
): Promise<WhoAmI> {
  const settings = await loadSettings(context);
  const { env, cwd, version } = context;
  const { connectionOptions, namespace } = loadTemporalAccess(settings, env);
  return {
    schema: 'bursar.whoami/v1',
    ...placeOf(settings, env),
    accountName: env[ACCOUNT_VARIABLE] || null,
    keyId: settings.api.key ?? null,
    settingsFile: settingsPathOf({ env, cwd }),
    store: maskedUrl(settings.store.url),
    files: maskedUrl(settings.blob.url),
    temporal: {
      address: maskedUrl(connectionOptions.address ?? ADDRESS_DEFAULT),
      namespace,
      taskQueue: settings.temporal.taskQueue,
    },
    user: actorOf(settings, context),
    signingKeyFile: settings.operator.keyFile ?? null,
    version,
    checks: check ? await checkAll(settings, context) : null,
  };
}

/** Opens each connection once. One signed read of the balance proves the access to the service. */
async function checkAll(settings: Settings, context: OperationContext): Promise<ConnectionCheck[]> {
  const { open, env } = context;
  return [
    await checked('service', async () => {
      await withService(settings, context, (service) => readBalances(service));
    }),
    await checked('store', async () => {
      const store = await open.store(settings);
      await store.close();
    }),
    await checked('temporal', async () => {
      const engine = await open.engine(settings, env, ONE_TRY);
      await engine.close();
    }),
  ];
}

async function checked(
  name: ConnectionCheck['name'],
  connect: () => Promise<void>,
): Promise<ConnectionCheck> {
  try {
    await connect();
    return { name, problem: null };
  } catch (error) {
    if (isBursarError(error)) return { name, problem: error.note };
    throw error;
  }
}
