import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { PRIVATE_FILE_MODE } from '../../domain/files/private-modes.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { COLUMNS } from '../../domain/rows/row.ts';
import { templateCsv, templateWorkbook } from '../../operations/file/template.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { unwritable } from '../../operations/text/unwritable.ts';
import type { Context } from '../context.ts';
import { printResult } from '../print/output.ts';

type TemplateFlags = Readonly<{ xlsx?: boolean; out?: string }>;

/** `bursar template`: an example file with all columns, printed or written. It replaces no file. */
export async function template(
  { xlsx = false, out }: TemplateFlags,
  context: Context,
): Promise<number> {
  if (out === undefined) {
    if (xlsx) throw flagInvalid('--xlsx', 'needs --out FILE: a workbook is not printed');
    const csv = templateCsv();
    const json = { schema: 'bursar.template/v1', columns: COLUMNS, file: null, csv };
    printResult(context, { json, text: csv.trimEnd() });
    return EXIT.done;
  }
  const file = resolve(context.cwd, out);
  const content = xlsx ? await templateWorkbook() : templateCsv();
  await writeFile(file, content, { flag: 'wx', mode: PRIVATE_FILE_MODE }).catch(refuse);
  const json = { schema: 'bursar.template/v1', columns: COLUMNS, file, csv: null };
  const next = `Fill it in, then see what it would pay: bursar plan ${out}`;
  printResult(context, { json, text: `The example is written to ${out}. ${next}` });
  return EXIT.done;
}

function refuse(error: NodeJS.ErrnoException): never {
  if (error.code === 'EEXIST') throw flagInvalid('--out', 'a file of that name is there');
  throw unwritable('--out', error);
}
