import { resolve } from 'node:path';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import type { KeyRing } from '../../config.ts';
import { loadSettings } from '../../operations/batch/sources.ts';
import type { Context } from '../context.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { printResult } from '../print/output.ts';

type KeyRingFlags = Readonly<{
  file?: string;
  rotate?: boolean;
  add?: boolean;
  use?: string;
}>;

/** Where a key ring is made when neither flag nor settings name a place: where `bursar up --encrypt` makes it. */
const FILE_DEFAULT = '.bursar/key-ring';

/** `bursar keys ring`: makes the key ring when there is none; lists its keys by their names, and changes which one encrypts. */
export async function keyRing(flags: KeyRingFlags, context: Context): Promise<number> {
  const { file, isSet } = await placeOf(flags, context);
  const { makeKeyRing, readKeyRing } = await import('../../config.ts');
  const isNew = flags.use === undefined && makeKeyRing(file, context.clock.nowMs());
  // A ring that was made just now has its one key already.
  const ring = isNew ? readKeyRing(file) : await changed(file, flags, context);
  const [current, ...others] = ring.map(({ id }) => id);
  const json = { schema: 'bursar.key-ring/v1', file, isNew, current, others, isSet };
  printResult(context, { json, text: textOf({ ...json, current: current ?? '' }) });
  return EXIT.done;
}

async function placeOf({ file }: KeyRingFlags, context: Context) {
  const { temporal } = await loadSettings(context);
  const set = temporal.keyRingFile;
  const path = resolve(context.cwd, file ?? set ?? FILE_DEFAULT);
  return { file: path, isSet: path === set };
}

async function changed(file: string, flags: KeyRingFlags, { clock }: Context): Promise<KeyRing> {
  const { addKey, makeCurrent, readKeyRing } = await import('../../config.ts');
  if (flags.rotate) return addKey(file, clock.nowMs(), 'first');
  if (flags.add) return addKey(file, clock.nowMs(), 'last');
  if (flags.use === undefined) return readKeyRing(file);
  const ring = makeCurrent(file, flags.use);
  if (ring === undefined) throw flagInvalid('--use', 'the key ring holds no key of this name');
  return ring;
}

type Shown = Readonly<{
  file: string;
  isNew: boolean;
  current: string;
  others: readonly string[];
  isSet: boolean;
}>;

const textOf = ({ file, isNew, current, others, isSet }: Shown): string =>
  [
    `${isNew ? 'Made the key ring' : 'Key ring'} ${file}`,
    `  encrypts with  ${current}`,
    ...others.map((id) => `  decrypts       ${id}`),
    '',
    'Keep a copy in a safe place: without its keys encrypted data cannot be read again.',
    ...(isSet
      ? []
      : [
          'Every worker, bridge and command must use it:',
          `  export BURSAR_TEMPORAL_KEY_RING_FILE='${file}'`,
        ]),
  ].join('\n');
