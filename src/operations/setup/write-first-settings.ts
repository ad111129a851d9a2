import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkSettingsText, makePrivateFile, replacePrivateFile } from '../../config.ts';
import type { OperationContext } from '../context.ts';
import { flagInvalid } from '../input/flag-error.ts';
import { unwritable } from '../text/unwritable.ts';
import { addIgnored } from './ignored-files.ts';
import { type FirstAnswers, firstSettings, SECRET_FILE_DEFAULT } from './first-settings.ts';

const FILE = 'bursar.toml';

/** The files of a first set-up. `ignored`: lines that were added to `.gitignore`. */
export type FirstFiles = Readonly<{ settingsFile: string; ignored: readonly string[] }>;

/** Everything that a repository must not have: data, reports and secrets. */
const ignoredLines = ({ secretFile = SECRET_FILE_DEFAULT }: FirstAnswers): string[] => [
  '.bursar/',
  'runs/',
  '*.key',
  secretFile,
];

/** @throws FLAG_INVALID where there are settings already, and they may not be replaced */
export function refuseToReplace(isForced: boolean, { cwd }: OperationContext): void {
  if (isForced || !existsSync(join(cwd, FILE))) return;
  throw flagInvalid(FILE, 'it is there already; --force replaces it');
}

/** @throws SETTINGS_INVALID for answers that are no settings */
export const checkAnswers = (answers: FirstAnswers, { cwd }: OperationContext): void =>
  checkSettingsText({ text: firstSettings(answers), path: join(cwd, FILE) });

/**
 * Writes `bursar.toml`, and has git ignore everything that holds a secret. @throws FLAG_INVALID where there are settings already,
 * SETTINGS_INVALID for answers that are no settings
 */
export function writeFirstFiles(
  answers: FirstAnswers,
  { isForced }: Readonly<{ isForced: boolean }>,
  context: OperationContext,
): FirstFiles {
  const { cwd } = context;
  const path = join(cwd, FILE);
  const text = firstSettings(answers);
  checkAnswers(answers, context);
  try {
    if (isForced) replacePrivateFile(path, text);
    else if (!makePrivateFile(path, text)) refuseToReplace(false, context);
    return { settingsFile: FILE, ignored: addIgnored(cwd, ignoredLines(answers)) };
  } catch (error) {
    throw unwritable(FILE, error);
  }
}
