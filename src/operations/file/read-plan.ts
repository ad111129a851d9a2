import { constants, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { PlanView } from './plan-view.ts';
import { changesOf } from './plan-changes.ts';
import { readInstantAhead } from '../input/instant.ts';
import { BursarError, isBursarError } from '../../domain/errors/bursar-error.ts';
import { digestOfParts } from '../../domain/plan/digest.ts';
import type { OperationContext } from '../context.ts';
import type { NamedFile } from './source.ts';
import { readJsonText } from '../input/json-text.ts';
import { shownPath } from '../text/shown-path.ts';
import { choiceEditOf, editOf } from './plan-edits.ts';
import { PlanFile } from './plan-schema.ts';
import { counted } from '../../domain/text/counted.ts';

/** Bytes of a plan file at most: the largest plan, of 100,000 chunks, has half as many. */
export const PLAN_BYTES_MAX = 64 * 1024 ** 2;

/** A plan that was written down. */
export type OpenPlan = Readonly<{
  /** The path as people read it. */
  name: string;
  plan: PlanFile;
  /** The whole content of the plan file. */
  written: unknown;
  /** The path of the merchant's file, if the plan has it. */
  filePath: string | null;
}>;

/** Reads a plan file. Throws PLAN_FILE_UNREADABLE and PLAN_FILE_EDITED. */
export async function readPlan(
  { file, followLinks = false }: NamedFile,
  { cwd }: OperationContext,
): Promise<OpenPlan> {
  const path = resolve(cwd, file);
  const name = shownPath(path, cwd);
  const written = parse(await readText({ path, name, followLinks }), name);
  const plan = check(written, name);
  const where = editIn(plan);
  if (where !== undefined) throw new BursarError('PLAN_FILE_EDITED', { plan: name, where });
  const { path: filePath } = plan.file;
  return {
    name,
    plan,
    written,
    filePath: filePath === null ? null : resolve(dirname(path), filePath),
  };
}

/** The edit that the plan file shows by itself. */
const editIn = (plan: PlanFile): string | undefined =>
  digestOfParts(plan.parts) === plan.digest
    ? choiceEditOf(plan)
    : 'its digest does not follow from its parts';

const unreadable = (plan: string, problem: string, cause?: unknown): BursarError =>
  new BursarError('PLAN_FILE_UNREADABLE', { plan, problem }, { cause });

type PlanPath = Readonly<{ path: string; name: string; followLinks: boolean }>;

async function readText({ path, name, followLinks }: PlanPath): Promise<string> {
  const links = followLinks ? 0 : constants.O_NOFOLLOW;
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | links);
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) throw unreadable(name, 'it is not a file');
      if (stats.size > PLAN_BYTES_MAX) {
        throw unreadable(name, `it has more than ${counted(PLAN_BYTES_MAX, 'byte')}`);
      }
      return new TextDecoder('utf-8', { fatal: true }).decode(await handle.readFile());
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isBursarError(error)) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw unreadable(name, 'it is not UTF-8 text');
    if (code === 'ELOOP')
      throw unreadable(name, 'it is a symbolic link; --follow-links follows it');
    throw unreadable(name, code === 'ENOENT' ? 'there is no such file' : String(code), error);
  }
}

function parse(text: string, name: string): unknown {
  try {
    return readJsonText(name, text);
  } catch (error) {
    if (!isBursarError(error)) throw error;
    throw unreadable(name, (error as BursarError<'FLAG_INVALID'>).facts.problem);
  }
}

function check(value: unknown, name: string): PlanFile {
  const { success, data, error } = PlanFile.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  throw unreadable(name, `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim());
}

/**
 * Refuses to start any plan but the one in the plan file. `view` is the plan of the same file and the same choices,
 * made now. Throws PLAN_CHANGED, PLAN_FILE_EDITED, and AT_IN_PAST for a plan whose time is over.
 */
export function holdAgainstPlan(
  { name, plan, written }: OpenPlan,
  view: PlanView,
  nowMs: number,
): void {
  if (view.digest !== plan.digest) {
    const changes = changesOf(plan, view).join('; ');
    throw new BursarError('PLAN_CHANGED', { plan: name, changes });
  }
  const where = editOf(written, view);
  if (where !== undefined) throw new BursarError('PLAN_FILE_EDITED', { plan: name, where });
  const { at, executionDate } = plan.choices;
  if (at !== null) readInstantAhead('--at', at, nowMs);
  if (executionDate !== null) readInstantAhead('--execution-date', executionDate, nowMs);
}
