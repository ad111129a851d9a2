import { fileURLToPath } from 'node:url';
import type { DataConverter, PayloadCodec } from '@temporalio/common';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { type Env, readKeyRing, type Settings } from '../config.ts';
import { BursarError } from '../domain/errors/bursar-error.ts';
import { openKeys } from './keys.ts';
import { type CodecOptions, codecWithoutKeys, createPayloadCodec } from './payload-codec.ts';

/** Where Temporal is, and how to read and write what it keeps. Whoever talks to it gets both from here. */
export type TemporalPlace = Readonly<{
  connectionOptions: ConnectionOptions;
  namespace: string;
  /** For every client. A worker takes {@link workerConverter}. */
  dataConverter: DataConverter;
  /** Whether there is a key ring. */
  isEncrypted: boolean;
}>;

type ConnectionOptions = ReturnType<typeof loadClientConnectConfig>['connectionOptions'];

/** Temporal's own namespace when nobody names one. */
const NAMESPACE_DEFAULT = 'default';

/**
 * Reads `TEMPORAL_*`, the user's Temporal profile and the key ring.
 * Throws SETTINGS_INVALID, KEY_RING_OPEN, KEY_RING_UNREADABLE.
 */
export function loadTemporalPlace(
  { temporal, encryption }: Pick<Settings, 'temporal' | 'encryption'>,
  env: Env,
): TemporalPlace {
  const { connectionOptions, namespace = NAMESPACE_DEFAULT } = loadConnection(env);
  const clear = encryption.required === false ? 'marked' : 'refused';
  return {
    connectionOptions,
    namespace,
    dataConverter: { payloadCodecs: [openCodec(temporal.keyRingFile, namespace, clear)] },
    isEncrypted: temporal.keyRingFile !== undefined,
  };
}

/** The codec of a namespace; by default one for people, who may see payloads in clear. Throws KEY_RING_OPEN, KEY_RING_UNREADABLE. */
export function openCodec(
  file: string | undefined,
  namespace: string,
  clear: NonNullable<CodecOptions['clear']> = 'shown',
): PayloadCodec {
  if (file === undefined) return codecWithoutKeys;
  return createPayloadCodec({ keys: openKeys(() => readKeyRing(file)), file, namespace, clear });
}

/** Workers write failures too. The bundle of their workflows must have been made with the same converter of failures. */
export const workerConverter = ({ dataConverter, isEncrypted }: TemporalPlace): DataConverter =>
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
