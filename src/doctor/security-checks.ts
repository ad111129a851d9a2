import { storeFile } from '../domain/store/store-url.ts';
import { access, constants, stat } from 'node:fs/promises';
import { processIds, type Settings } from '../config.ts';
import type { ApprovalPolicy } from '../domain/approval/policy.ts';
import { filesPlaceOf } from '../domain/store/files-url.ts';
import { isBursarError } from '../domain/errors/bursar-error.ts';
import { isPrivate } from '../domain/files/private-modes.ts';
import { isLockedKeyFile } from '../operations/approval/key-file.ts';
import { TIMESTAMP_WINDOW_MS } from '@bursar/merchant-api/spec';
import type { TemporalExposure } from '../operations/engine/temporal-access.ts';
import { type Check, ok, warn } from './check.ts';

const PAGE = 'docs/security.md';

type Place = Readonly<{ access: TemporalExposure; address: string }>;

/**
 * Which programs Temporal serves. An open Temporal lets any program that reaches it stop and delay batches. Without an approval
 * policy such a program can pay as well.
 */
export function checkAccess({ access: found, address }: Place, isEncrypted: boolean): Check[] {
  const { isLocal, hasTls, isOpen } = found;
  const fix = `Set up client certificates, or API keys, with an authorizer at Temporal: ${PAGE}.`;
  const open = `${address} serves programs without credentials`;
  return [
    hasTls || isLocal
      ? ok('connection to Temporal', hasTls ? 'over TLS' : 'within this machine')
      : warn('connection to Temporal', `in clear to ${address}`, `Set TEMPORAL_TLS: ${PAGE}.`),
    !isOpen
      ? ok('access to Temporal', 'programs without credentials are refused')
      : isLocal
        ? ok('access to Temporal', `${open}; it is on this machine`)
        : warn('access to Temporal', open, fix),
    isEncrypted || isLocal
      ? ok('payloads', isEncrypted ? 'encrypted' : 'in clear, on this machine')
      : warn('payloads', 'in clear', 'Make a key ring (docs/encryption.md).'),
  ];
}

/**
 * Warns of a window that was set for a sandbox. A proxy on this machine could lead to a real service, which would then
 * pay twice.
 */
export function checkWindow({ timestampWindowMs }: Settings['api']): Check[] {
  if (timestampWindowMs >= TIMESTAMP_WINDOW_MS) return [];
  const says = `api.timestamp_window_ms is ${timestampWindowMs}, and the service documents ${TIMESTAMP_WINDOW_MS}: right for a sandbox alone`;
  return [warn('timestamp window', says, 'Remove the setting before real money is paid.')];
}

/** Whether other accounts of this machine can read what names recipients and amounts, or secrets. */
export async function checkPrivate(settings: Settings): Promise<Check> {
  const name = 'private files';
  const found = await Promise.all(placesOf(settings).map(openPlace));
  const open = found.filter((path) => path !== null);
  if (open.length === 0) return ok(name, 'no other account of this machine can read them');
  const fix = `chmod -R go= ${open.map((path) => `'${path}'`).join(' ')}`;
  return warn(name, `other accounts of this machine can read ${open.join(', ')}`, fix);
}

function placesOf(settings: Settings): string[] {
  const { store, blob, report, api, temporal, operator, bridge, codec, notices, notify, serve } =
    settings;
  const file = storeFile(store.url);
  const copies = filesPlaceOf(blob.url);
  const secrets = [
    api.secretFile,
    store.passwordFile,
    temporal.keyRingFile,
    operator.keyFile,
    bridge.tokenFile,
    codec.tokenFile,
    serve.oidc.clientSecretFile,
    notices.secretFile,
    ...notify.targets.map(({ secretFile }) => secretFile),
  ];
  return [
    ...(file === undefined ? [] : [file]),
    ...(copies?.kind === 'folder' ? [copies.folder] : []),
    report.dir,
    ...secrets.filter((path) => path !== undefined),
  ];
}

/** The path, where others can read or write it or the target of a link; null where they cannot, and where nothing is yet. */
async function openPlace(path: string): Promise<string | null> {
  try {
    return isPrivate(await stat(path), processIds()) ? null : path;
  } catch {
    return null;
  }
}

/**
 * Whether this account of the operating system can both pay and approve. The signatures of the policy protect only against people
 * whose key it does not read.
 */
export async function checkRoles(
  { api, operator }: Settings,
  policy: ApprovalPolicy | null,
): Promise<Check[]> {
  const name = 'separate accounts';
  const { keyFile } = operator;
  if (policy?.mode !== 'signed' || keyFile === undefined) return [];
  const paysToo = api.secretFile !== undefined && (await isReadable(api.secretFile));
  const signsToo = (await isReadable(keyFile)) && !isLocked(keyFile);
  if (!paysToo || !signsToo) return [ok(name, 'it cannot pay and sign without a passphrase')];
  const says =
    'this account of the machine reads the API secret and a signing key without a passphrase';
  return [
    warn(name, says, `Give workers an account of their own, or the key a passphrase: ${PAGE}.`),
  ];
}

/** A file that holds no key signs nothing. */
function isLocked(keyFile: string): boolean {
  try {
    return isLockedKeyFile(keyFile, keyFile);
  } catch (error) {
    if (isBursarError(error)) return true;
    throw error;
  }
}

async function isReadable(path: string): Promise<boolean> {
  try {
    await access(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
