import type { Settings } from '../config.ts';
import { counted } from '../domain/text/counted.ts';
import type { OperationContext } from '../operations/context.ts';
import type { Engine } from '../operations/engine/engine.ts';
import { withService } from '../operations/service/preflight.ts';
import type { Store } from '../store/index.ts';
import { checkBridge, checkPublicUrl, checkSubscription } from './bridge-checks.ts';
import { type Check, GROUP_MS_MAX, ok, orFailed, warn } from './check.ts';
import { checkDisk, checkFolders, checkNode, checkScheduleFolder } from './machine-checks.ts';
import { checkApproval, checkNotices, checkDeliveries, checkTargets } from './people-checks.ts';
import { checkSchedules } from './schedule-checks.ts';
import { checkAccess, checkPrivate, checkRoles, checkWindow } from './security-checks.ts';
import { sendTest } from './send-test.ts';
import { checkService } from './service-checks.ts';
import { checkIdentity, checkLookups, checkRounds, checkStore } from './store-checks.ts';
import { checkTemporal } from './temporal-checks.ts';

export type DoctorOptions = Readonly<{
  /** Sends a test notification to each target of `notify.targets`. */
  sendTest: boolean;
  /** Whether the service is a sandbox of this machine that notifies the bridge without a subscription of the account. */
  isSubscribedBySandbox(settings: Settings): Promise<boolean>;
}>;

/**
 * Checks everything that a set-up needs, and returns each result with its fix. It reads, writes one line into the store, and
 * moves no money. A failed check does not stop the others. The first failed check is the most fundamental one.
 */
export async function runChecks(
  options: DoctorOptions,
  context: OperationContext,
): Promise<Check[]> {
  const checks = [checkNode(context.nodeVersion)];
  let settings: Settings | undefined;
  const settingsChecks = await orFailed('settings', async () => {
    settings = await context.open.settings(context);
    return checkSettings(settings);
  });
  checks.push(...settingsChecks);
  if (settings !== undefined) checks.push(...(await checkAll(settings, options, context)));
  context.clear();
  return checks;
}

const checkSettings = ({ warnings }: Settings): Check[] =>
  warnings.length === 0
    ? [ok('settings', 'valid')]
    : warnings.map((warning) =>
        warn('settings', warning, 'Correct it, or leave it if it is intended.'),
      );

async function checkAll(
  settings: Settings,
  options: DoctorOptions,
  context: OperationContext,
): Promise<Check[]> {
  const { show } = context;
  show('checking files and the store ...');
  const secret = [...(await checkSecret(settings)), ...(await checkKeyRing(settings))];
  const folders = [
    ...(await checkFolders(settings, {
      open: () => context.open.blobs(settings),
      temporaryDir: context.temporaryDir,
    })),
    await checkDisk(settings),
    await checkPrivate(settings),
  ];
  const lookAtStore = async (): Promise<Check[]> => {
    const store = await context.open.store(settings);
    try {
      return await checkWithStore({ settings, store, options }, context);
    } finally {
      await store.close();
    }
  };
  const withStore = await orFailed('store', lookAtStore, GROUP_MS_MAX);
  show('checking the bridge ...');
  const isSubscribed = await options.isSubscribedBySandbox(settings);
  return [
    ...secret,
    ...folders,
    ...withStore,
    ...(await orFailed('bridge', async () => [await checkBridge(settings.bridge)])),
    checkPublicUrl(settings.bridge, isSubscribed),
    ...(await checkTheService(settings, isSubscribed, context)),
    ...checkWindow(settings.api),
    ...checkApproval(settings.rules.approval, settings.api),
    ...(await checkRoles(settings, settings.rules.approval)),
    ...(await checkTargets(settings.notify.targets)),
    ...checkNotices(settings.notices),
  ];
}

/** Reads the secret, and shows nothing of it. */
const checkSecret = (settings: Settings): Promise<Check[]> =>
  orFailed('secret', async () => {
    const { readApiSecret } = await import('../config.ts');
    readApiSecret(settings);
    return [ok('secret', 'it can be read, and by no other user')];
  });

const CLEAR_TAKEN = warn(
  'encryption',
  'unencrypted payloads are accepted too (encryption.required = false), so clients without the keys can start and change batches',
  'Remove the setting when all batches that began without a key ring have ended.',
);

/** No result where nothing is encrypted. */
const checkKeyRing = ({ temporal: { keyRingFile }, encryption }: Settings): Promise<Check[]> =>
  orFailed('key ring', async () => {
    if (keyRingFile === undefined) return [];
    const { readKeyRing } = await import('../config.ts');
    const [{ id }, ...others] = readKeyRing(keyRingFile);
    return [
      ok(
        'key ring',
        `encrypts with ${id}, decrypts with ${counted(others.length, 'other key')} too`,
      ),
      ...(encryption.required === false ? [CLEAR_TAKEN] : []),
    ];
  });

type StoreChecks = Readonly<{ settings: Settings; store: Store; options: DoctorOptions }>;

async function checkWithStore(
  { settings, store, options }: StoreChecks,
  context: OperationContext,
): Promise<Check[]> {
  const nowMs = context.clock.nowMs();
  return [
    await checkStore(store, { url: settings.store.url, nowMs }),
    ...(await checkScheduleFolder(settings, store)),
    ...(await checkTheTemporal({ settings, store, options }, context)),
    ...(await orFailed('schedules', () =>
      checkTheSchedules({ settings, store, options }, context),
    )),
    await checkRounds(store, { everyMs: settings.watch.everyMs, nowMs }),
    ...(await checkDeliveries(store, nowMs)),
    ...(await checkLookups(store, settings.api)),
  ];
}

const checkTheTemporal = (
  { settings, store, options }: StoreChecks,
  context: OperationContext,
): Promise<Check[]> =>
  orFailed('Temporal', async () => {
    context.show('looking at Temporal ...');
    const namespace = await context.open.namespace(settings, context.env);
    try {
      const facts = await namespace.read();
      const { taskQueue } = settings.temporal;
      const checks = [
        ...checkTemporal(facts, taskQueue),
        ...checkAccess(facts, settings.temporal.keyRingFile !== undefined),
        checkIdentity(await store.identity.read(), facts.served, taskQueue),
      ];
      if (!options.sendTest) return checks;
      context.show('sending a test notification ...');
      const { api } = settings;
      const { targets } = settings.notify;
      const test = { store, namespace, targets, account: api.account ?? '' };
      return [...checks, ...(await sendTest(test, context))];
    } finally {
      await namespace.close();
    }
  });

/** Connects to Temporal only where there are schedules. */
async function checkTheSchedules(
  { settings, store }: StoreChecks,
  { clock, open, env }: OperationContext,
): Promise<Check[]> {
  let engine: Promise<Engine> | undefined;
  try {
    const opened = () => (engine ??= open.engine(settings, env));
    return await checkSchedules({ store, engine: opened }, clock.nowMs());
  } finally {
    // The check of Temporal reports that it could not be opened.
    await engine?.then((one) => one.close()).catch(() => undefined);
  }
}

const checkTheService = (
  settings: Settings,
  isSubscribed: boolean,
  context: OperationContext,
): Promise<Check[]> =>
  orFailed('service', async () => {
    context.show('checking the service ...');
    return withService(settings, context, async (service) => {
      const checks = await checkService(service, settings, context);
      if (checks.length === 1) return checks;
      const subscription = await orFailed('webhook subscription', async () => [
        await checkSubscription(service, settings.bridge, isSubscribed),
      ]);
      return [...checks, ...subscription];
    });
  });
