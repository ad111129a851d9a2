import type { Operation } from '@bursar/merchant-api/spec';
import { type ConformanceCheck, met, type CheckVerdict } from './check.ts';
import { demandFor, demandRefused } from './expect.ts';
import type { FieldKind } from './kinds.ts';
import type { CheckRun } from './run.ts';
import type { ServiceAnswer } from './service.ts';

/** A payload, or a part of one. */
export type Json = { [name: string]: unknown };

export type RequestFields = Readonly<{
  id: string;
  section: string;
  /** The name of the request in sentences. */
  request: string;
  operation: Operation;
  needs: ConformanceCheck['needs'];
  /** The check that breaks when the service refuses a right request. */
  checkedBy: string;
  /** A valid payload with all documented fields. */
  sample(run: CheckRun): Promise<Json> | Json;
  /** Sends a payload. The default sends it to the operation. */
  send?(run: CheckRun, payload: Json): Promise<ServiceAnswer>;
  /** By path. An index stands for every entry of an array. */
  fields: Readonly<Record<string, FieldKind>>;
  /** 'not-shown': the specification does not show which fields are required. */
  presence?: 'not-shown';
}>;

/**
 * Returns a check for each field of a request. The service must refuse a request without a required
 * field, and one with a value of another type.
 * It must accept the unchanged request.
 */
export function requestFields(options: RequestFields): ConformanceCheck[] {
  const { id, section, request, operation, presence, fields } = options;
  return Object.entries(fields).map(([path, kind]) => ({
    id: `${id}.${path.replaceAll(/\.\d+/g, '')}`,
    section,
    sentence: `${request}: \`${shownPath(path)}\` ${kind.words}${presenceOf(kind, presence)}.`,
    needs: [operation, ...options.needs],
    try: (run) => fieldVerdict(run, options, path),
  }));
}

/** Stands for the unchanged request. */
const RIGHT = {};

async function fieldVerdict(
  run: CheckRun,
  options: RequestFields,
  path: string,
): Promise<CheckVerdict> {
  const { id, request, checkedBy, operation, fields, presence } = options;
  const { send = sendAs(operation) } = options;
  const kind = fields[path];
  if (kind === undefined) throw new Error(`${id} has no field ${path}`);
  const sent = async (value: unknown): Promise<ServiceAnswer> => {
    const payload = structuredClone(await options.sample(run));
    if (value !== RIGHT) putAt(payload, path, value);
    return send(run, payload);
  };
  const needed = { words: `an accepted ${request.toLowerCase()}`, checkedBy };
  await run.once(`${id} is accepted`, async () => demandFor(await sent(RIGHT), needed));
  if (!kind.optional && presence === undefined) demandRefused(await sent(undefined));
  return met(demandRefused(await sent(kind.wrong)));
}

const sendAs =
  (operation: Operation) =>
  (run: CheckRun, payload: Json): Promise<ServiceAnswer> =>
    run.service.send(operation, { payload });

const shownPath = (path: string): string => path.replaceAll(/\.\d+/g, '[]');

const presenceOf = (kind: FieldKind, presence: 'not-shown' | undefined): string => {
  if (presence === 'not-shown') return '';
  return kind.optional ? ', optional' : ', required';
};

/** Puts a value at a path. Undefined removes the field. */
function putAt(payload: Json, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let place = payload;
  for (const name of names) place = place[name] as Json;
  if (value === undefined) delete place[last];
  else place[last] = value;
}
