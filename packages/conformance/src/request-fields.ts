import type { Operation } from '@bursar/merchant-api/spec';
import { type Check, met, type Verdict } from './check.ts';
import { demandAccepted, demandRefused } from './expect.ts';
import type { Kind } from './kinds.ts';
import type { Run } from './run.ts';
import type { Answer } from './service.ts';

/** A payload, or a part of one. */
export type Json = { [name: string]: unknown };

export type RequestFields = Readonly<{
  id: string;
  section: string;
  /** What the request is called in sentences. */
  request: string;
  operation: Operation;
  needs: Check['needs'];
  /** A payload with all documented fields, and right in everything. */
  sample(run: Run): Promise<Json> | Json;
  /** Sends a payload; as that of the operation when left out. */
  send?(run: Run, payload: Json): Promise<Answer>;
  /** By path; an index stands for every entry of an array. */
  fields: Readonly<Record<string, Kind>>;
  /** Whether the specification shows which fields are required. */
  presence?: 'not-shown';
}>;

/**
 * A check for each field of a request: without it, when it is required, and with a value of another
 * type the request is refused; and it is accepted as long as nothing is wrong.
 */
export function requestFields(options: RequestFields): Check[] {
  const { id, section, request, operation, presence, fields } = options;
  return Object.entries(fields).map(([path, kind]) => ({
    id: `${id}.${path.replaceAll(/\.\d+/g, '')}`,
    section,
    sentence: `${request}: \`${shownPath(path)}\` ${kind.words}${presenceOf(kind, presence)}.`,
    needs: [operation, ...options.needs],
    try: (run) => fieldVerdict(run, options, path),
  }));
}

/** Stands for a request that is not changed. */
const RIGHT = {};

async function fieldVerdict(run: Run, options: RequestFields, path: string): Promise<Verdict> {
  const { id, operation, fields, presence, send = sendAs(operation) } = options;
  const kind = fields[path];
  if (kind === undefined) throw new Error(`${id} has no field ${path}`);
  const sent = async (value: unknown): Promise<Answer> => {
    const payload = structuredClone(await options.sample(run));
    if (value !== RIGHT) putAt(payload, path, value);
    return send(run, payload);
  };
  await run.once(`${id} is accepted`, async () => demandAccepted(await sent(RIGHT)));
  if (!kind.optional && presence === undefined) demandRefused(await sent(undefined));
  return met(demandRefused(await sent(kind.wrong)));
}

const sendAs =
  (operation: Operation) =>
  (run: Run, payload: Json): Promise<Answer> =>
    run.service.send(operation, { payload });

const shownPath = (path: string): string => path.replaceAll(/\.\d+/g, '[]');

const presenceOf = (kind: Kind, presence: 'not-shown' | undefined): string => {
  if (presence === 'not-shown') return '';
  return kind.optional ? ', optional' : ', required';
};

/** Puts a value at a path; undefined takes the field away. */
function putAt(payload: Json, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let place = payload;
  for (const name of names) place = place[name] as Json;
  if (value === undefined) delete place[last];
  else place[last] = value;
}
