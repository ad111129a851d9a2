/**
 * Keeps the histories of a run of tests that together show everything that workflows do: as few as cover every activity,
 * signal, update, timer, child and end, and which of them came after which. `npm run histories` calls for it.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Client, Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import * as workflows from '../../build/src/workflows/index.js';

const { History } = proto.temporal.api.history.v1;

/** Longer ones are not kept: they say the same again and again. Events. */
const EVENTS_MAX = 600;

/** What cannot be read without a key says nothing about what a workflow does. */
const ENCRYPTED = 'binary/encrypted';

/** Writes what a server has of every workflow into a folder, from which `keepFewest` chooses. */
export async function gatherHistories({ address, folder }) {
  const connection = await Connection.connect({ address });
  const client = new Client({ connection });
  mkdirSync(folder, { recursive: true });
  for await (const { type, workflowId, runId } of executionsOf(connection)) {
    // Tests have some of their own.
    if (!(type in workflows)) continue;
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    if ((history.events ?? []).length > EVENTS_MAX) continue;
    const bytes = History.encode(History.fromObject(anonymous(history))).finish();
    if (Buffer.from(bytes).includes(ENCRYPTED)) continue;
    writeFileSync(join(folder, `${type}-${runId}`), gzipSync(bytes, { level: 9 }));
  }
  await connection.close();
}

/** Not by the client, which would read what may be encrypted. */
async function* executionsOf({ workflowService }) {
  let nextPageToken;
  do {
    const page = await workflowService.listWorkflowExecutions({
      namespace: 'default',
      nextPageToken,
    });
    for (const { type, execution } of page.executions) yield { type: type.name, ...execution };
    ({ nextPageToken } = page);
  } while (nextPageToken?.length > 0);
}

/** Replaces what is in a folder by as few of the gathered histories as show all that there is. */
export function keepFewest({ gathered, folder }) {
  const runs = readdirSync(gathered).map((name) => {
    const bytes = readFileSync(join(gathered, name));
    const [type] = name.split('-');
    const history = History.decode(gunzipSync(bytes));
    return { type, bytes, history, features: featuresOf(type, history) };
  });
  const kept = cover(runs);
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  for (const [i, { type, bytes }] of kept.entries()) {
    writeFileSync(join(folder, `${String(i + 1).padStart(3, '0')}-${type}.history.gz`), bytes);
  }
  console.error(`${kept.length} of ${runs.length} histories are kept in ${folder}`);
}

/** What a history shows, as words. */
function featuresOf(type, { events = [] }) {
  const words = events.flatMap((event) => {
    const key = Object.keys(event).find(
      (name) => name.endsWith('EventAttributes') && event[name] !== null,
    );
    const word = WORDS[key]?.(event[key]);
    return word === undefined ? [] : [word];
  });
  const features = new Set(words.map((word) => `${type}: ${word}`));
  for (const [i, word] of words.entries()) features.add(`${type}: ${words[i - 1]} > ${word}`);
  return features;
}

const WORDS = {
  workflowExecutionStartedEventAttributes: ({ continuedExecutionRunId }) =>
    continuedExecutionRunId ? 'goes on from the run before' : undefined,
  activityTaskScheduledEventAttributes: ({ activityType }) => `activity ${activityType.name}`,
  activityTaskFailedEventAttributes: ({ failure }) =>
    `activity failed ${failure?.applicationFailureInfo?.type}`,
  timerStartedEventAttributes: () => 'timer',
  timerCanceledEventAttributes: () => 'timer canceled',
  workflowExecutionSignaledEventAttributes: ({ signalName }) => `signal ${signalName}`,
  workflowExecutionUpdateAcceptedEventAttributes: ({ acceptedRequest }) =>
    `update ${acceptedRequest?.input?.name}`,
  startChildWorkflowExecutionInitiatedEventAttributes: ({ workflowType }) =>
    `child ${workflowType.name}`,
  signalExternalWorkflowExecutionInitiatedEventAttributes: ({ signalName }) =>
    `signals ${signalName}`,
  childWorkflowExecutionCompletedEventAttributes: () => 'child completed',
  workflowExecutionContinuedAsNewEventAttributes: () => 'continued as new',
  workflowExecutionCompletedEventAttributes: ({ result }) => `completed ${stateOf(result)}`,
  workflowExecutionFailedEventAttributes: ({ failure }) =>
    `failed ${failure?.applicationFailureInfo?.type}`,
};

function stateOf(result) {
  const [payload] = result?.payloads ?? [];
  if (payload?.data === undefined) return '';
  return JSON.parse(Buffer.from(payload.data).toString() || 'null')?.state ?? '';
}

/** The fewest histories, nearly, that show all features; of equal ones the shortest. */
function cover(runs) {
  const missing = new Set(runs.flatMap(({ features }) => [...features]));
  const left = runs.toSorted((a, b) => a.history.events.length - b.history.events.length);
  const kept = [];
  const newIn = ({ features }) => [...features].filter((feature) => missing.has(feature)).length;
  while (missing.size > 0) {
    const best = left.reduce((a, b) => (newIn(b) > newIn(a) ? b : a));
    for (const feature of best.features) missing.delete(feature);
    kept.push(best);
  }
  return kept;
}

/** What tells of the machine that recorded it, and as what it is kept. */
const TELLTALE = ['identity', 'lastWorkerIdentity', 'stackTrace'];
const PLACES = [
  [/\/[^"\s]*bursar tests \w+\/process \d+\/bursar test \w+/g, '/srv/bursar'],
  [/\d+@[\w.-]+/g, '1@host'],
];

const withoutPlaces = (text) =>
  PLACES.reduce((said, [place, other]) => said.replace(place, other), text);

/** Without names and folders of that machine; nothing that a workflow does depends on them. */
function anonymous(value) {
  if (typeof value === 'string') return withoutPlaces(value);
  // Whole numbers are objects of their own.
  if (value === null || typeof value !== 'object' || 'unsigned' in value) return value;
  if (value instanceof Uint8Array) return Buffer.from(withoutPlaces(Buffer.from(value).toString()));
  if (Array.isArray(value)) return value.map(anonymous);
  const entries = Object.entries(value).map(([key, part]) => [
    key,
    TELLTALE.includes(key) ? '' : anonymous(part),
  ]);
  return Object.fromEntries(entries);
}
