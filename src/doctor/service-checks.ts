import { CLOCK_SKEW_MS_MAX, isClockOff } from '../domain/errors/from-service.ts';
import { EXIT } from '../domain/errors/exit-codes.ts';
import type { ProbeReport } from '@bursar/merchant-api';
import type { Settings } from '../config.ts';
import type { ServiceAccess, Surroundings } from '../operations/context.ts';
import { callService } from '../operations/service/call-service.ts';
import { probeOrRefuse } from '../operations/service/probe.ts';
import {
  isByUnprovenKey,
  isReadable,
  isReadableAsSet,
  settingsDiffering,
} from '../operations/service/probed-settings.ts';
import { type Check, fail, failedBy, ok, orFailed, warn } from './check.ts';

/**
 * From this difference on a person should set the clock, in milliseconds; far below the one at which the service
 * refuses requests.
 */
const SKEW_MS_ODD = 10_000;

/** Whether the service can be reached, accepts us, has our time, and behaves as the settings have it. Reads only. */
export async function checkService(
  service: ServiceAccess,
  settings: Settings,
  context: Surroundings,
): Promise<Check[]> {
  let account: string | undefined;
  try {
    const { value } = await callService(service, (api) => api.readBalance());
    account = value.account;
  } catch (error) {
    return [failedBy('service', error)];
  }
  return [
    ok('service', `${service.baseUrl} answers, and accepts key and signature`),
    checkAccount(account, service),
    checkClock(service.api.clockSkewMs()),
    ...(await orFailed(OPERATIONS, async () => {
      const choices = { ...FEW, signal: context.interrupted };
      return [checkOperations(await probeOrRefuse(settings, choices, context), settings)];
    })),
  ];
}

const OPERATIONS = 'operations';
const PROVE_KEYS =
  'Name a mass payout that exists: "bursar probe --mass-payout ID --key UUID --write". Or set api.shapes.mass_get_accepts by hand.';

/** A service that is as the settings have it needs fewer requests. */
const FEW = { requestsMax: 30, requestsPerSecond: 10 };

function checkAccount(answered: string | undefined, { account }: ServiceAccess): Check {
  if (answered === undefined) {
    const says = `the request named ${account}, and the answer has no account`;
    return warn(
      'account',
      says,
      'Compare the balances of "bursar api balance" with those that you expect.',
    );
  }
  if (answered.toLowerCase() === account.toLowerCase()) return ok('account', account);
  const says = `the request named ${account}, and the answer has ${answered}`;
  return warn('account', says, 'Check api.account: it may be another form of the same account.');
}

function checkClock(skewMs: number | undefined): Check {
  const fix = 'Set the clock of this machine, for example by NTP.';
  if (skewMs === undefined) return warn('clock', 'the service does not return its time', fix);
  const says = `differs from the service's by ${Math.round(Math.abs(skewMs) / 1_000)} s`;
  if (isClockOff(skewMs)) {
    const limitS = CLOCK_SKEW_MS_MAX / 1_000;
    return fail('clock', {
      says: `${says}; at most ${limitS} s are allowed`,
      fix,
      exitCode: EXIT.auth,
    });
  }
  return Math.abs(skewMs) > SKEW_MS_ODD ? warn('clock', says, fix) : ok('clock', says);
}

/** Whether the service serves what Bursar uses, in the shapes and at the paths of the settings. */
export function checkOperations(report: ProbeReport, settings: Settings): Check {
  const { findings, open, endpoints, forbidden } = report;
  const namesOf = (places: readonly (readonly [string, unknown])[]): string[] =>
    places.map(([operation]) => operation);
  const absent = findings.filter(({ value }) => value === 'not served').map(({ point }) => point);
  const off = namesOf(Object.entries(settings.api.endpoints).filter(([, place]) => place === ''));
  const isClear = (point: string): boolean =>
    [...absent, ...off, ...forbidden, 'MASS_CREATE'].includes(point);
  const unclear = open
    .map(({ point }) => point)
    .filter((point) => point in settings.api.endpoints && !isClear(point));
  const found = [...settingsDiffering(report, settings)].filter(([, place]) => place !== '');
  const parts = [
    ['served', namesOf(Object.entries(endpoints).filter(([, place]) => place !== ''))],
    ['not at their paths', absent],
    ['not for this key', forbidden],
    ['no clear answer', unclear],
    ['switched off', off],
    ['other than set', found.map(([name, value]) => `${name} = "${value}"`)],
  ] as const;
  const says = parts
    .filter(([, names]) => names.length > 0)
    .map(([title, names]) => `${title}: ${names.join(', ')}`)
    .join('; ');
  const fix =
    'See "bursar probe"; "bursar probe --write" sets what it found, such as an empty path for what the service lacks.';
  if (!isReadableAsSet(report, settings)) {
    const asSet = isReadable(report) ? ' as the settings have it' : '';
    return fail(OPERATIONS, {
      says: isByUnprovenKey(report)
        ? `mass payouts are read by key alone, and no key has found one; ${says}`
        : `no read of a mass payout is understood${asSet}; ${says}`,
      fix: isByUnprovenKey(report) ? PROVE_KEYS : fix,
    });
  }
  const isDoubtful = [...absent, ...forbidden, ...unclear, ...found].length > 0;
  return isDoubtful ? warn(OPERATIONS, says, fix) : ok(OPERATIONS, says);
}
