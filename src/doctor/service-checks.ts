import { CLOCK_SKEW_MS_MAX, isClockOff } from '../domain/errors/from-service.ts';
import { EXIT } from '../domain/errors/exit-codes.ts';
import type { ServiceAccess } from '../operations/context.ts';
import { callService } from '../operations/service/call-service.ts';
import { type Check, fail, failedBy, ok, warn } from './check.ts';
import { probeOperations, type Probed } from './probe-operations.ts';

/**
 * From this difference on a person should set the clock, in milliseconds; far below the one at which the service
 * refuses requests.
 */
const SKEW_MS_ODD = 10_000;

/** Whether the service can be reached, accepts us, has our time, and serves what Bursar uses. Reads only. */
export async function checkService(service: ServiceAccess): Promise<Check[]> {
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
    checkOperations(await probeOperations(service)),
  ];
}

function checkAccount(answered: string | undefined, { account }: ServiceAccess): Check {
  if (answered === undefined) {
    const says = `the request was about ${account}, and the answer does not show its account`;
    return warn(
      'account',
      says,
      'Compare the balances of "bursar api balance" with those that you expect.',
    );
  }
  if (answered.toLowerCase() === account.toLowerCase()) return ok('account', account);
  const says = `the request was about ${account}, and the service answered about ${answered}`;
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

/** Without this one nothing can be followed to its end. */
const NEEDED = 'MASS_GET';

function checkOperations({ served, absent, refused, unclear, off }: Probed): Check {
  const name = 'operations';
  const parts = [
    ['served', served],
    ['not at their paths', absent],
    ['not for this key', refused],
    ['no clear answer', unclear],
    ['switched off', off],
  ] as const;
  const says = parts
    .filter(([, operations]) => operations.length > 0)
    .map(([what, operations]) => `${what}: ${operations.join(', ')}`)
    .join('; ');
  const doubtful = [...absent, ...refused, ...unclear];
  if (doubtful.length === 0) return ok(name, says);
  const fix = `Set the paths (BURSAR_API_ENDPOINT_<OPERATION>), empty for what the service does not have: ${doubtful.join(', ')}.`;
  return absent.includes(NEEDED) ? fail(name, { says, fix }) : warn(name, says, fix);
}
