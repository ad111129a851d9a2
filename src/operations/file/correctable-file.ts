import { join } from 'node:path';
import type { RefusedRow } from '../../domain/rows/refused-row.ts';
import { loadSettings } from '../batch/sources.ts';
import type { OperationContext } from '../context.ts';
import type { CheckedFile } from './plan-of.ts';
import { type FileWithChoices, optionsOf } from './program-submit.ts';
import { readFile } from './read-file.ts';
import { withStoredFile } from './stored-file.ts';
import { openTemporaryFile, type TemporaryFile } from './temporary-folder.ts';
import { writeCorrectable } from './write-correctable.ts';

/**
 * Opens the rows of an uploaded file as CSV, with the reasons of refused rows in a column `error`: the `to-correct.csv` of
 * its plan. @throws the errors of a file that is refused whole
 */
export const openCorrectable = (
  wish: FileWithChoices,
  context: OperationContext,
): Promise<TemporaryFile> =>
  withReading(wish, context, (file) =>
    openTemporaryFile(context.temporaryDir, 'to-correct.csv', (place) =>
      writeCorrectable(file, place, context),
    ),
  );

/** Opens the reasons of refused rows: the `nack.csv` of a plan; empty: none is refused. @throws the errors of a file that is refused whole */
export const openReasons = (
  wish: FileWithChoices,
  context: OperationContext,
): Promise<TemporaryFile> =>
  withReading(wish, context, ({ reading: { refused } }) =>
    openTemporaryFile(context.temporaryDir, 'nack.csv', (place) => writeReasons(refused, place)),
  );

async function writeReasons(
  refused: readonly RefusedRow[],
  { dir, name }: Readonly<{ dir: string; name: string }>,
): Promise<void> {
  const { writeText } = await import('../../report/disk.ts');
  if (refused.length === 0) return writeText(join(dir, name), '');
  const { writeRefusedRows } = await import('../../report/write-refused-rows.ts');
  await writeRefusedRows({ dir, file: name, refused });
}

/** Reads an uploaded file whole, and runs `use` while its copy is there. */
const withReading = <Result>(
  wish: FileWithChoices,
  context: OperationContext,
  use: (file: CheckedFile) => Promise<Result>,
): Promise<Result> =>
  withStoredFile(wish.file, context, async (source) => {
    const settings = await loadSettings(context);
    const options = optionsOf(wish, settings);
    const { limits } = settings.rules;
    const how = { ...options, limits, keepPrints: async () => undefined };
    return use({ source, options, reading: await readFile(source, how, context) });
  });
