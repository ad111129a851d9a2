import { loadSettings } from '../batch/sources.ts';
import type { OperationContext } from '../context.ts';
import { type BatchChoices, batchOptionsOf } from '../input/batch-choices.ts';
import { readFile } from './read-file.ts';
import { type StoredFile, withStoredFile } from './stored-file.ts';
import { openTemporaryFile, type TemporaryFile } from './temporary-folder.ts';
import { writeCorrectable } from './write-correctable.ts';

/** An uploaded file, and the choices that it is read with. */
export type CorrectableWish = Readonly<{ file: StoredFile; choices: BatchChoices }>;

/**
 * Opens the rows of an uploaded file as CSV, with the reasons of refused rows in a column `error`: the `to-correct.csv` of
 * its plan. @throws the errors of a file that is refused whole
 */
export const openCorrectable = (
  { file, choices }: CorrectableWish,
  context: OperationContext,
): Promise<TemporaryFile> =>
  withStoredFile(file, context, async (source) => {
    const settings = await loadSettings(context);
    const options = batchOptionsOf(choices, settings);
    const { limits } = settings.rules;
    const how = { ...options, limits, keepPrints: async () => undefined };
    const reading = await readFile(source, how, context);
    return openTemporaryFile(context.temporaryDir, (place) =>
      writeCorrectable({ source, options, reading }, place, context),
    );
  });
