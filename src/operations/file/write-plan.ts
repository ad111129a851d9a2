import { isObject } from '../../domain/json/is-object.ts';
import { access, lstat, open } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { type BursarError, isBursarError } from '../../domain/errors/bursar-error.ts';
import type { OperationContext } from '../context.ts';
import { flagInvalid } from '../input/flag-error.ts';
import { unwritable } from '../text/unwritable.ts';
import type { LocalPlan } from './plan-of.ts';
import { PLAN_SCHEMA, type PlanView } from './plan-view.ts';
import { isStdin, type Source } from './source.ts';
import { writeCorrectable } from './write-correctable.ts';
import { shownPath } from '../text/shown-path.ts';

/** Where a plan is to be written: the file of `--out`, else into the batch's folder; null: nowhere. */
export type PlanPlace = Readonly<{ out: string | null; dir: string }>;

/** Bytes at the start of a file that show whether it is a plan. */
const HEAD_BYTES = 200;

/**
 * Writes a plan down, for people to compare and for `bursar submit --plan`; answers with its path. It replaces nothing
 * but a plan. Throws FLAG_INVALID.
 */
export async function writePlan(
  view: PlanView,
  { out, dir, file }: PlanPlace & Readonly<{ file: string }>,
  { cwd }: OperationContext,
): Promise<string> {
  const { writeText } = await import('../../report/disk.ts');
  const path = out === null ? join(dir, await nameIn(dir)) : resolve(cwd, out);
  const setting = out === null ? 'report.dir' : '--out';
  await refuseOtherFile(path, setting);
  const filePath = isStdin(file) ? null : relative(dirname(path), resolve(cwd, file));
  try {
    await writeText(path, linesOfJson({ ...view, file: { ...view.file, path: filePath } }));
  } catch (error) {
    throw unwritable(setting, error);
  }
  return path;
}

/** The plan beside a report is the one that was paid by. */
const nameIn = async (dir: string): Promise<string> =>
  (await holdsReport(dir)) ? 'plan.again.json' : 'plan.json';

/** Refuses to replace the merchant's own file, a report, or anything but a plan. */
async function refuseOtherFile(path: string, setting: string): Promise<void> {
  try {
    if (!(await lstat(path)).isFile()) throw otherFile(setting);
    const head = await headOf(path);
    if (!head.startsWith(`{\n  "schema": ${JSON.stringify(PLAN_SCHEMA)}`)) throw otherFile(setting);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw unwritable(setting, error);
  }
}

const otherFile = (setting: string): BursarError =>
  flagInvalid(setting, 'something of that name is there, and it is no plan');

async function headOf(path: string): Promise<string> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/**
 * JSON of which two can be compared line by line: each member of an object has a line, and each item of a list. Only an
 * item that holds a list itself takes several.
 */
export const linesOfJson = (value: object): string => `${spread(value, '')}\n`;

function spread(value: unknown, indent: string): string {
  if (Array.isArray(value)) return list(value, indent);
  return isObject(value) ? object(value, indent) : JSON.stringify(value);
}

function object(value: object, indent: string): string {
  const inner = `${indent}  `;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return enclosed(
    '{}',
    members.map(([name, member]) => `${JSON.stringify(name)}: ${spread(member, inner)}`),
    indent,
  );
}

const list = (items: readonly unknown[], indent: string): string =>
  enclosed(
    '[]',
    items.map((item) => (holdsList(item) ? spread(item, `${indent}  `) : JSON.stringify(item))),
    indent,
  );

function enclosed(brackets: '{}' | '[]', parts: readonly string[], indent: string): string {
  const [first, last] = [brackets.charAt(0), brackets.charAt(1)];
  if (parts.length === 0) return brackets;
  return `${first}\n${parts.map((part) => `${indent}  ${part}`).join(',\n')}\n${indent}${last}`;
}

const holdsList = (item: unknown): boolean =>
  isObject(item) && Object.values(item).some((member) => Array.isArray(member));

/** The files about refused rows, as people read their paths. */
export type RefusalFiles = Readonly<{ nack: string; toCorrect: string }>;

/** The names of these files in the folder of a batch. */
export async function refusalNames({ path }: Source, dir: string): Promise<RefusalFiles> {
  const prefix = (await holdsReport(dir)) ? 'plan.' : '';
  const usual = `${prefix}to-correct.csv`;
  // The person may correct that very file.
  const isRead = resolve(path) === resolve(dir, usual);
  return {
    nack: `${prefix}nack.csv`,
    toCorrect: isRead ? `${prefix}to-correct.again.csv` : usual,
  };
}

/** The paths of such files, as people read them. */
export const shownRefusals = (
  { nack, toCorrect }: RefusalFiles,
  dir: string,
  cwd: string,
): RefusalFiles => ({
  nack: shownPath(join(dir, nack), cwd),
  toCorrect: shownPath(join(dir, toCorrect), cwd),
});

/** The files as callers over HTTP get them: each is made for the request that reads it. */
const OVER_HTTP: RefusalFiles = { nack: 'nack.csv', toCorrect: 'to-correct.csv' };

/**
 * Writes the reasons of refused rows, and the file to correct, into the folder of the batch; null: none is refused. Over HTTP nothing is
 * written: a caller could name the id of any batch.
 */
export async function writeRefusals(
  planned: LocalPlan,
  dir: string,
  context: OperationContext,
): Promise<RefusalFiles | null> {
  const { refused } = planned.reading;
  if (refused.length === 0) return null;
  if (context.overHttp) return OVER_HTTP;
  const { writeRefusedRows } = await import('../../report/write-refused-rows.ts');
  const names = await refusalNames(planned.source, dir);
  try {
    await writeRefusedRows({ dir, file: names.nack, refused });
    await writeCorrectable(planned, { dir, name: names.toCorrect }, context);
  } catch (error) {
    throw isBursarError(error) ? error : unwritable('report.dir', error);
  }
  return shownRefusals(names, dir, context.cwd);
}

/** The folder of a batch that ended holds its report, with the plan and the nack.csv that belong to it. */
const holdsReport = (dir: string): Promise<boolean> =>
  access(join(dir, 'report.json')).then(
    () => true,
    () => false,
  );
