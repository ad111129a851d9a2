import type { Settings } from '../../config.ts';
import type { Store } from '../../store/index.ts';
import { counted } from '../../domain/text/counted.ts';
import type { Context } from '../context.ts';
import { checkBridge, checkPublicUrl, checkSubscription } from '../doctor/bridge-checks.ts';
import { type Check, exitCodeOf, ok, orFailed, warn, worstOf } from '../doctor/check.ts';
import { doctorText } from '../doctor/doctor-text.ts';
import {
  checkDisk,
  checkFolders,
  checkNode,
  checkScheduleFolder,
} from '../doctor/machine-checks.ts';
import { checkApproval, checkDeliveries, checkTargets } from '../doctor/people-checks.ts';
import { checkSchedules } from '../doctor/schedule-checks.ts';
import { sendTest } from '../doctor/send-test.ts';
import { checkAccess, checkPrivate, checkRoles, checkWindow } from '../doctor/security-checks.ts';
import { checkService } from '../doctor/service-checks.ts';
import { isToldBySandbox } from '../doctor/told-by-sandbox.ts';
import { checkIdentity, checkLookups, checkRounds, checkStore } from '../doctor/store-checks.ts';
import { checkTemporal } from '../doctor/temporal-checks.ts';
import type { Engine } from '../../operations/engine/engine.ts';
import { printResult } from '../print/output.ts';
import { withService } from '../../operations/service/preflight.ts';

export type DoctorFlags = Readonly<{ sendTest?: boolean }>;

/**
 * `bursar doctor`: checks everything that a set-up needs, each with what mends it. It reads, writes a line into the store,
 * and moves no money. What fails does not keep it from the rest.
 */
export async function doctor(flags: DoctorFlags, context: Context): Promise<number> {
  const checks = [checkNode(context.nodeVersion)];
  let settings: Settings | undefined;
  const settingsChecks = await orFailed('settings', async () => {
    settings = await context.open.settings(context);
    return checkSettings(settings);
  });
  checks.push(...settingsChecks);
  if (settings !== undefined) checks.push(...(await checkAll(settings, flags, context)));
  context.clear();
  const shown = checks.map(({ name, result, says, fix }) => ({ name, result, says, fix }));
  const json = { schema: 'bursar.doctor/v1', result: worstOf(checks), checks: shown };
  printResult(context, { json, text: doctorText(checks, context) });
  return exitCodeOf(checks);
}

const checkSettings = ({ warnings }: Settings): Check[] =>
  warnings.length === 0
    ? [ok('settings', 'they are usable')]
    : warnings.map((warning) => warn('settings', warning, 'Mend it, or leave it if you mean it.'));

/** The more fundamental things come first: the first one that fails decides how the command ends. */
async function checkAll(
  settings: Settings,
  flags: DoctorFlags,
  context: Context,
): Promise<Check[]> {
  const { show } = context;
  show('looking at files and the store ...');
  const secret = [...(await checkSecret(settings)), ...(await checkKeyRing(settings))];
  const folders = [
    ...(await checkFolders(settings, context.temporaryDir)),
    await checkDisk(settings),
    await checkPrivate(settings),
  ];
  const withStore = await orFailed('store', async () => {
    const store = await context.open.store(settings);
    try {
      return await checkWithStore({ settings, store, flags }, context);
    } finally {
      await store.close();
    }
  });
  show('looking at the bridge ...');
  const isTold = await isToldBySandbox(settings, context);
  return [
    ...secret,
    ...folders,
    ...withStore,
    await checkBridge(settings.bridge),
    checkPublicUrl(settings.bridge, isTold),
    ...(await checkTheService(settings, isTold, context)),
    ...checkWindow(settings.api),
    ...checkApproval(settings.rules.approval),
    ...(await checkRoles(settings, settings.rules.approval)),
    ...(await checkTargets(settings.notify.targets)),
  ];
}

/** The secret is read, and nothing is said of it. */
const checkSecret = (settings: Settings): Promise<Check[]> =>
  orFailed('secret', async () => {
    const { readApiSecret } = await import('../../config.ts');
    readApiSecret(settings);
    return [ok('secret', 'it can be read, and by nobody else')];
  });

const CLEAR_TAKEN = warn(
  'encryption',
  'payloads in clear are taken too (encryption.required = false), so clients without the keys can start, signal and update batches',
  'Remove the setting once the batches have ended that began without a key ring.',
);

/** Nothing is said where nothing is encrypted. */
const checkKeyRing = ({ temporal: { keyRingFile }, encryption }: Settings): Promise<Check[]> =>
  orFailed('key ring', async () => {
    if (keyRingFile === undefined) return [];
    const { readKeyRing } = await import('../../config.ts');
    const [{ id }, ...others] = readKeyRing(keyRingFile);
    return [
      ok(
        'key ring',
        `encrypts with ${id}, decrypts with ${counted(others.length, 'other key')} too`,
      ),
      ...(encryption.required === false ? [CLEAR_TAKEN] : []),
    ];
  });

type WithStore = Readonly<{ settings: Settings; store: Store; flags: DoctorFlags }>;

async function checkWithStore(
  { settings, store, flags }: WithStore,
  context: Context,
): Promise<Check[]> {
  const nowMs = context.clock.nowMs();
  return [
    await checkStore(store, { url: settings.store.url, nowMs }),
    await checkScheduleFolder(settings, store),
    ...(await checkTheTemporal({ settings, store, flags }, context)),
    ...(await checkTheSchedules({ settings, store, flags }, context)),
    await checkRounds(store, { everyMs: settings.watch.everyMs, nowMs }),
    ...(await checkDeliveries(store, nowMs)),
    ...(await checkLookups(store, settings.api)),
  ];
}

const checkTheTemporal = (
  { settings, store, flags }: WithStore,
  context: Context,
): Promise<Check[]> =>
  orFailed('Temporal', async () => {
    context.show('looking at Temporal ...');
    const desk = await context.open.namespace(settings, context.env);
    try {
      const facts = await desk.read();
      const { taskQueue } = settings.temporal;
      const checks = [
        ...checkTemporal(facts, taskQueue),
        ...checkAccess(facts, settings.temporal.keyRingFile !== undefined),
        checkIdentity(await store.identity.read(), facts.served, taskQueue),
      ];
      if (!flags.sendTest) return checks;
      context.show('sending a test notification ...');
      const { api } = settings;
      const { targets } = settings.notify;
      const test = { store, desk, targets, account: api.account ?? '' };
      return [...checks, ...(await sendTest(test, context))];
    } finally {
      await desk.close();
    }
  });

/** Connects to Temporal only where there are schedules. */
async function checkTheSchedules(
  { settings, store }: WithStore,
  { clock, open, env }: Context,
): Promise<Check[]> {
  let engine: Promise<Engine> | undefined;
  try {
    const opened = () => (engine ??= open.engine(settings, env));
    return await checkSchedules({ store, engine: opened }, clock.nowMs());
  } finally {
    // That it could not be opened is told by the check of Temporal.
    await engine?.then((one) => one.close()).catch(() => undefined);
  }
}

const checkTheService = (settings: Settings, isTold: boolean, context: Context): Promise<Check[]> =>
  orFailed('service', async () => {
    context.show('looking at the service ...');
    return withService(settings, context, async (service) => {
      const checks = await checkService(service);
      if (checks.length === 1) return checks;
      const subscription = await orFailed('webhook subscription', async () => [
        await checkSubscription(service, settings.bridge, isTold),
      ]);
      return [...checks, ...subscription];
    });
  });
