import type { Ensured } from '../../../operations/webhooks/types.ts';
import type { Settings } from '../../../config.ts';
import { keepWebhookSecret } from '../../../config/webhook-secret.ts';
import { BursarError } from '../../../domain/errors/bursar-error.ts';
import { EXIT } from '../../../domain/errors/exit-codes.ts';
import { type EnsureStep, planEnsure } from '../../../domain/webhooks/ensure.ts';
import { hookUrl, type OurHooks, shownHookUrl } from '../../../domain/webhooks/hook-address.ts';
import { NEEDED_EVENT } from '../../../domain/webhooks/subscription.ts';
import {
  EVENT_TYPES_OF_GROUP,
  type EventType,
  FUNDING_EVENT_TYPES,
} from '@bursar/merchant-api/spec';
import { loadSettings } from '../../../operations/batch/sources.ts';
import type { Context } from '../../context.ts';
import type { ServiceAccess } from '../../../operations/context.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { readNames } from '../../../operations/input/names.ts';
import { printResult } from '../../print/output.ts';
import { withService } from '../../../operations/service/preflight.ts';
import { carryOut } from '../../../operations/webhooks/carry-out.ts';
import { ensureText } from '../../print/webhook-ensure-text.ts';
import { type Looked, lookAtSubscriptions } from '../../../operations/webhooks/look.ts';

type EnsureFlags = Readonly<{ events?: string; dryRun?: boolean }>;

/**
 * `bursar webhooks ensure`: creates or repairs the subscription by which the service notifies our bridge. A second run
 * changes nothing.
 */
export async function ensureWebhooks(flags: EnsureFlags, context: Context): Promise<number> {
  const settings = await loadSettings(context);
  const eventTypes = readEvents(flags.events);
  const hooks = await readHooks(settings, flags.dryRun === true);
  return withService(settings, context, async (service) => {
    const before = await lookAtSubscriptions(service, hooks);
    const url = hookUrl(hooks.publicUrl, hooks.tokens[0] ?? '');
    const step = planEnsure(before, { url, eventTypes });
    const now = flags.dryRun ? before : await done(service, { step, before, hooks });
    const secretFile = flags.dryRun ? null : keepSecretOf(now, settings);
    const ensured = describe(now, { step, url, secretFile, dryRun: flags.dryRun === true });
    printResult(context, { json: ensured, text: ensureText(ensured, context) });
    return exitCodeOf(ensured);
  });
}

/** The events of payouts, and those that may bring the money that a batch waits for. */
const EVENT_TYPES: readonly EventType[] = [...EVENT_TYPES_OF_GROUP.PAYOUT, ...FUNDING_EVENT_TYPES];

/** Refuses a list without the needed event: the bridge would miss the changes that it exists for. */
function readEvents(text: string | undefined): readonly string[] {
  if (text === undefined) return EVENT_TYPES;
  const names = readNames(text);
  if (names.includes(NEEDED_EVENT)) return names;
  throw flagInvalid(
    '--events',
    `must name ${NEEDED_EVENT}, which reports that a mass payout changed`,
  );
}

type Hooks = OurHooks & Readonly<{ publicUrl: string }>;

async function readHooks({ bridge }: Settings, isDry: boolean): Promise<Hooks> {
  const { publicUrl, tokenFile } = bridge;
  if (publicUrl === undefined) {
    const facts = { setting: 'bridge.public_url', variable: 'BURSAR_BRIDGE_PUBLIC_URL' };
    throw new BursarError('SETTING_MISSING', facts);
  }
  const { loadBridgeTokens, readBridgeTokens } = await import('../../../config.ts');
  const tokens = isDry ? readBridgeTokens(tokenFile) : loadBridgeTokens(tokenFile);
  return { publicUrl, tokens };
}

type Doing = Readonly<{ step: EnsureStep; before: Looked; hooks: Hooks }>;

async function done(service: ServiceAccess, { step, before, hooks }: Doing): Promise<Looked> {
  if (step.act === 'nothing' || step.act === 'unblock') return before;
  await carryOut(service, step);
  return lookAtSubscriptions(service, hooks);
}

function keepSecretOf({ ours, listed }: Looked, { bridge }: Settings): string | null {
  const found = listed.find(({ requestId }) => requestId === ours?.id);
  if (found?.secretKey === undefined) return null;
  return keepWebhookSecret(bridge.tokenFile, found.secretKey.reveal());
}

const describe = (
  { ours, condition, duplicates, strays }: Looked,
  {
    step,
    url,
    ...more
  }: Readonly<{ step: EnsureStep; url: string; secretFile: string | null; dryRun: boolean }>,
): Ensured => ({
  schema: 'bursar.webhooks-ensure/v1',
  act: step.act,
  requestId: ours?.id ?? null,
  url: shownHookUrl(url),
  eventTypes: 'eventTypes' in step ? step.eventTypes : (ours?.eventTypes ?? []),
  condition,
  duplicates: duplicates.map(({ id }) => id),
  strays: strays.map(({ id }) => id),
  ...more,
});

/** A step in the service's own interface, or a change that had no effect, needs an operator. */
function exitCodeOf({ act, dryRun, condition }: Ensured): number {
  if (act === 'unblock') return EXIT.needsOperator;
  const isWell = condition === 'OK' || condition === 'NEAR_BLOCK';
  return dryRun || isWell ? EXIT.done : EXIT.needsOperator;
}
