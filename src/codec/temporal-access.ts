import { fileURLToPath } from 'node:url';
import type { DataConverter, PayloadCodec } from '@temporalio/common';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { type Env, readKeyRing, type Settings } from '../config.ts';
import { BursarError } from '../domain/errors/bursar-error.ts';
import { openPayloadKeys } from './payload-keys.ts';
import { type CodecOptions, codecWithoutKeys, createPayloadCodec } from './payload-codec.ts';

/** The address of Temporal and the converter of its payloads. Every client takes both from here. */
export type TemporalAccess = Readonly<{
  connectionOptions: ConnectionOptions;
  namespace: string;
  /** The converter of clients. A worker uses {@link workerConverter}. */
  dataConverter: DataConverter;
  /** Whether a key ring is configured. */
  isEncrypted: boolean;
}>;

type ConnectionOptions = ReturnType<typeof loadClientConnectConfig>['connectionOptions'];

/** Temporal's default namespace. */
const NAMESPACE_DEFAULT = 'default';

/**
 * Reads `TEMPORAL_*`, the user's Temporal profile and the key ring.
 * @throws SETTINGS_INVALID, KEY_RING_OPEN, KEY_RING_UNREADABLE.
 */
export function loadTemporalAccess({ temporal, encryption }: Settings, env: Env): TemporalAccess {
  const { connectionOptions, namespace: ofProfile } = loadConnection(env);
  const namespace = temporal.namespace ?? ofProfile ?? NAMESPACE_DEFAULT;
  const clear = encryption.required === false ? 'marked' : 'refused';
  return {
    connectionOptions,
    namespace,
    dataConverter: { payloadCodecs: [openCodec(temporal.keyRingFile, namespace, clear)] },
    isEncrypted: temporal.keyRingFile !== undefined,
  };
}

/**
 * Opens the codec of a namespace. By default it shows payloads in clear, for people.
 * @throws KEY_RING_OPEN, KEY_RING_UNREADABLE.
 */
export function openCodec(
  file: string | undefined,
  namespace: string,
  clear: NonNullable<CodecOptions['clear']> = 'shown',
): PayloadCodec {
  if (file === undefined) return codecWithoutKeys;
  return createPayloadCodec({
    keys: openPayloadKeys(() => readKeyRing(file)),
    file,
    namespace,
    clear,
  });
}

/**
 * The converter of a worker, which also encrypts failures.
 * The bundle of its workflows must be built with the same failure converter.
 */
export const workerConverter = ({ dataConverter, isEncrypted }: TemporalAccess): DataConverter =>
  isEncrypted
    ? {
        ...dataConverter,
        failureConverterPath: fileURLToPath(new URL('./failure-converter.js', import.meta.url)),
      }
    : dataConverter;

function loadConnection(env: Env) {
  const overrideEnvVars = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  try {
    return loadClientConnectConfig({ overrideEnvVars });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new BursarError('SETTINGS_INVALID', { problems: `Temporal: ${reason}` }, { cause });
  }
}
