import { resolve } from 'node:path';
import { isPlainName } from '../../domain/approval/people.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { makeKeyFile } from '../../operations/approval/key-file.ts';
import {
  newPassphrase,
  type PassphraseFlags,
  readSigningKey,
} from '../../operations/prompts/passphrase.ts';
import type { Context } from '../context.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { printResult } from '../print/output.ts';

type NewKeyFlags = PassphraseFlags &
  Readonly<{
    name?: string;
    out?: string;
    /** `--no-passphrase` makes it false. */
    passphrase?: boolean;
  }>;

/** `bursar keys new [NAME]`: a key of one's own. Needs no settings: they may wait for this very key. */
export async function newKey(flags: NewKeyFlags, context: Context): Promise<number> {
  const name = flags.name ?? context.user;
  if (!isPlainName(name)) {
    const problem = `"${name}" is not a name of letters, digits, dots, dashes or underscores`;
    throw flagInvalid('NAME', problem);
  }
  const file = flags.out ?? `bursar-${name}.key`;
  const passphrase = await newPassphrase(flags, context);
  const publicKey = makeKeyFile(resolve(context.cwd, file), file, passphrase);
  const toml = tomlOf(name, publicKey);
  printResult(context, {
    json: { schema: 'bursar.key/v1', file, publicKey, toml },
    text: [
      `The private key is in ${file}. Keep it secret: anyone who has it can approve in your name.`,
      'The operator of the worker adds the public key to its settings:',
      '',
      toml,
    ].join('\n'),
  });
  return EXIT.done;
}

/** `bursar keys show FILE`: the public half of a key. */
export async function showKey(
  { file, ...passphrase }: PassphraseFlags & Readonly<{ file: string }>,
  context: Context,
): Promise<number> {
  const { publicKey } = await readSigningKey({ key: file, ...passphrase }, context);
  const json = { schema: 'bursar.key/v1', file, publicKey };
  printResult(context, { json, text: publicKey });
  return EXIT.done;
}

const tomlOf = (name: string, publicKey: string): string =>
  ['[[approval.people]]', `name = "${name}"`, `public_key = "${publicKey}"`, 'roles = []'].join(
    '\n',
  );
