import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isPlainName } from '../../domain/approval/people.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { makeKeyFile } from '../../operations/approval/key-file.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { newPassphrase, type PassphraseFlags } from '../../operations/prompts/passphrase.ts';
import {
  type FirstAnswers,
  SECRET_FILE_DEFAULT,
  type ServiceAnswers,
} from '../../operations/setup/first-settings.ts';
import {
  checkAnswers,
  type FirstFiles,
  refuseToReplace,
  writeFirstFiles,
} from '../../operations/setup/write-first-settings.ts';
import type { Context } from '../context.ts';
import { printResult } from '../print/output.ts';

type InitFlags = PassphraseFlags &
  Readonly<{
    url?: string;
    account?: string;
    apiKey?: string;
    secretFile?: string;
    environment?: 'live' | 'sandbox';
    newKey?: string;
    /** `--no-passphrase` makes it false. */
    passphrase?: boolean;
    force?: boolean;
  }>;

/** `bursar init`: writes a first `bursar.toml`. On a terminal it asks for what no flag says. */
export async function init(flags: InitFlags, context: Context): Promise<number> {
  const isForced = flags.force === true;
  refuseToReplace(isForced, context);
  const { newKey, ...asked } = await askForMissing(flags, context);
  // A key of settings that are refused would be in the way of the next try.
  checkAnswers(asked, context);
  const person = await makeKey(newKey, flags, context);
  const answers = { ...asked, ...(person === undefined ? {} : { person }) };
  const files = writeFirstFiles(answers, { isForced }, context);
  printFiles(files, answers, context);
  return EXIT.done;
}

type Asked = ServiceAnswers & Readonly<{ newKey?: string }>;

/** The answers of the flags, else those of the person. An empty answer leaves a setting out. */
async function askForMissing(flags: InitFlags, context: Context): Promise<Asked> {
  const answer = async (given: string | undefined, question: string) => {
    if (given !== undefined || !context.mayAsk) return given;
    return (await context.ask(`${question}: `)) || undefined;
  };
  const url = await answer(flags.url, 'Address of the service (nothing: a sandbox of your own)');
  const isOfService = url !== undefined;
  const about = async (given: string | undefined, question: string) =>
    isOfService ? answer(given, question) : given;
  const account = await about(flags.account, 'Account that pays (0x and 40 digits)');
  const key = await about(flags.apiKey, 'Public API key');
  const secretFile = await about(
    flags.secretFile,
    `File with only the secret (nothing: ${SECRET_FILE_DEFAULT})`,
  );
  const newKey = await answer(flags.newKey, 'Your name, for a key that signs (nothing: no key)');
  return {
    ...(url === undefined ? {} : { url }),
    ...(account === undefined ? {} : { account }),
    ...(key === undefined ? {} : { key }),
    ...(secretFile === undefined ? {} : { secretFile }),
    ...(flags.environment === undefined ? {} : { environment: flags.environment }),
    ...(newKey === undefined ? {} : { newKey }),
  };
}

async function makeKey(
  name: string | undefined,
  flags: InitFlags,
  context: Context,
): Promise<FirstAnswers['person']> {
  if (name === undefined) return undefined;
  if (!isPlainName(name)) {
    const problem = `"${name}" is not a name of letters, digits, dots, dashes or underscores`;
    throw flagInvalid('--new-key', problem);
  }
  const keyFile = `bursar-${name}.key`;
  const passphrase = await newPassphrase(flags, context);
  return {
    name,
    keyFile,
    publicKey: makeKeyFile(resolve(context.cwd, keyFile), keyFile, passphrase),
  };
}

function printFiles(
  { settingsFile, ignored }: FirstFiles,
  answers: FirstAnswers,
  context: Context,
): void {
  const { person, url, secretFile = SECRET_FILE_DEFAULT } = answers;
  const hasSecret = existsSync(join(context.cwd, secretFile));
  const next = url === undefined ? 'bursar up' : 'bursar doctor';
  const text = [
    `The settings are in ${settingsFile}.`,
    ...(ignored.length === 0 ? [] : [`git ignores: ${ignored.join(', ')}`]),
    ...(person === undefined ? [] : [`Your private key is in ${person.keyFile}. Keep it secret.`]),
    ...(url === undefined || hasSecret
      ? []
      : [
          `Put only the secret of the service into ${secretFile}: (umask 077; cat > ${secretFile})`,
        ]),
    `Next: ${next}`,
  ].join('\n');
  const json = {
    schema: 'bursar.init/v1',
    settingsFile,
    ignored,
    keyFile: person?.keyFile ?? null,
    publicKey: person?.publicKey ?? null,
    next,
  };
  printResult(context, { json, text });
}
