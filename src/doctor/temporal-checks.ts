import { SEARCH_ATTRIBUTES } from '../contract/names.ts';
import { EXIT } from '../domain/errors/exit-codes.ts';
import { counted } from '../domain/text/counted.ts';
import { STUCK_FIX } from '../operations/batch/stuck-text.ts';
import type { NamespaceFacts } from '../operations/engine/namespace-client.ts';
import { type Check, fail, ok, warn } from './check.ts';

const DAY_MS = 86_400_000;
/** Temporal refuses the id of a batch to another one as long as it remembers it, so it should for this long. */
const RETENTION_MS_MIN = 30 * DAY_MS;

/** Whether the namespace of Temporal is set up, and whether workers are there. */
export const checkTemporal = (facts: NamespaceFacts, taskQueue: string): Check[] => [
  ok('Temporal', `${facts.address}, namespace ${facts.namespace}`),
  checkRetention(facts),
  checkAttributes(facts),
  checkWorkers(facts, taskQueue),
  ...checkStuck(facts),
];

function checkRetention({ namespace, retentionMs }: NamespaceFacts): Check {
  const name = 'retention';
  const days = retentionMs === null ? undefined : Math.floor(retentionMs / DAY_MS);
  const fix = `temporal operator namespace update --namespace ${namespace} --retention 2160h`;
  if (days === undefined) return warn(name, 'the server does not show it', fix);
  const says = `closed batches are remembered for ${days} days`;
  return (retentionMs ?? 0) < RETENTION_MS_MIN ? warn(name, says, fix) : ok(name, says);
}

function checkAttributes({ namespace, searchAttributes }: NamespaceFacts): Check {
  const name = 'search attributes';
  const wanted = Object.entries(SEARCH_ATTRIBUTES);
  if (searchAttributes === null) {
    const flags = wanted.map(([one, type]) => `--search-attribute "${one}=${camelType(type)}"`);
    const command = `tcld namespace search-attributes add --namespace ${namespace} ${flags.join(' ')}`;
    return warn(name, 'they may not be read', `They must be there. On Temporal Cloud: ${command}`);
  }
  const wrong = wanted.filter(([one, type]) => (searchAttributes.get(one) ?? type) !== type);
  const missing = wanted.filter(([one]) => !searchAttributes.has(one));
  if (wrong.length > 0) {
    const says = wrong.map(
      ([one, type]) => `${one} is ${searchAttributes.get(one)} and not ${type}`,
    );
    return fail(name, {
      says: says.join('; '),
      fix: `Remove them (temporal operator search-attribute remove --namespace ${namespace} --name NAME) and start a worker, which adds them.`,
    });
  }
  if (missing.length === 0) return ok(name, `all ${wanted.length} are there`);
  const flags = missing.map(([one, type]) => `--name ${one} --type ${camelType(type)}`).join(' ');
  return fail(name, {
    says: `missing: ${missing.map(([one]) => one).join(', ')}`,
    fix: `Start a worker, which adds them; or: temporal operator search-attribute create --namespace ${namespace} ${flags}`,
  });
}

/** `KEYWORD_LIST` as Temporal's command line writes it: `KeywordList`. */
const camelType = (type: string): string =>
  type
    .toLowerCase()
    .replace(/(^|_)([a-z])/g, (_match, _start, letter: string) => letter.toUpperCase());

/** Workflows that are named in the result. */
const STUCK_SHOWN_MAX = 5;

function checkStuck({ stuck }: NamespaceFacts): Check[] {
  if (stuck.length === 0) return [];
  const shown = stuck.slice(0, STUCK_SHOWN_MAX).map(({ workflowId }) => workflowId);
  const more = stuck.length > shown.length ? ', ...' : '';
  const says = `workers fail each task of ${counted(stuck.length, 'workflow')}: ${shown.join(', ')}${more}`;
  return [fail('workflows', { says, fix: STUCK_FIX, exitCode: EXIT.needsOperator })];
}

function checkWorkers({ workers }: NamespaceFacts, taskQueue: string): Check {
  if (workers.workflows && workers.activities) return ok('worker', `works on queue ${taskQueue}`);
  return fail('worker', {
    says: `no worker polls queue ${taskQueue}`,
    fix: 'Start one with "npm run worker" or "bursar up", with the same BURSAR_TASK_QUEUE.',
    exitCode: EXIT.unreachable,
  });
}
