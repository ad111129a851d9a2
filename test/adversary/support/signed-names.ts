import type { Approval } from '../../../src/domain/approval/statement.ts';
import type { ChainedEntry } from '../../../src/domain/audit/chain.ts';
import type { AttackedWorld } from './attacked-world.ts';
import { OPTIONS } from './statements.ts';
import type { Scene } from './victims.ts';

/** Words of an attacker: no hold of Bursar has them. */
export const FORGED = 'bob and carol approved this by phone';

/** Batches without a plan whose submit alice signed: the plan has an entry in her name. */
const SUBMITTED: readonly string[] = ['fresh', 'early', 'limited'];

/** Law 2: the audit log names people only for the very words that each of them signed. */
export async function wrongNames(scene: Scene, { store }: AttackedWorld): Promise<string[]> {
  const { broken: gap } = await store.audit.verify();
  const entries = await store.audit.list({ afterSeq: scene.entries, limit: 10_000 });
  const wrong = entries.filter((entry) => !isNobodys(entry) && !isSigned(scene, entry));
  const forged = entries.filter((entry) => isOfEngine(entry) && textOf(entry).includes(FORGED));
  return [
    ...(gap === null ? [] : [`law 2: the log is broken at ${gap.seq}: ${gap.problem}`]),
    ...wrong.map((entry) => `law 2: ${entry.actor} did not sign ${JSON.stringify(entry)}`),
    ...forged.map((entry) => `law 2: Bursar did not say ${textOf(entry)}`),
  ];
}

/** A hold of Bursar, and its end. Why a workflow ended a batch is in the words of that workflow. */
const isOfEngine = ({ actor, action }: ChainedEntry): boolean =>
  actor === 'Bursar' && (action === 'hold' || action === 'resume');
const textOf = (entry: ChainedEntry): string => JSON.stringify(entry);

const isNobodys = ({ actor }: ChainedEntry): boolean =>
  ['Bursar', 'Temporal'].includes(actor) || / \(unsigned\)$|^schedule\//.test(actor);

function isSigned({ statements }: Scene, entry: ChainedEntry): boolean {
  const { actor, action, batchId, detail } = entry;
  if (action === 'submit') {
    const isOwn = SUBMITTED.includes(batchId ?? '') || batchId?.startsWith('rent-') === true;
    const accepted = JSON.stringify(detail['accepted']) === JSON.stringify(OPTIONS.accept);
    return actor === 'alice' && isOwn && accepted;
  }
  const own = statements.filter((one) => one.batchId === batchId || isOfSchedule(one));
  const acts = ACTS[action];
  if (acts !== undefined) return isSignedByAll(entry, own.filter(acts(entry)));
  const decision = action === 'sign-submit' ? 'submit' : action;
  return own.some(
    (one) =>
      one.person === actor &&
      one.decision === decision &&
      one.reason === detail['reason'] &&
      one.subject === detail['subject'] &&
      one.issuedAt === detail['issuedAt'],
  );
}

const isOfSchedule = ({ batchId }: Approval): boolean => batchId.startsWith('schedule/');

/** Entries that several people can have. Their statements have words of their own in the scene. */
const ACTS: Readonly<Record<string, (entry: ChainedEntry) => (one: Approval) => boolean>> = {
  resume: () => (one) => one.decision === 'approve' && one.reason !== '',
  resolve: (entry) => (one) => one.decision === entry.detail['answer'] && one.reason !== '',
  'schedule-run': () => (one) => one.decision === 'submit' && one.reason !== '',
};

/** Whether every person of an entry signed, and the reason of the entry is what each of them signed. */
function isSignedByAll({ actor, detail }: ChainedEntry, given: readonly Approval[]): boolean {
  const names = actor.split(', ');
  const signed = names.map((name) => given.find(({ person }) => person === name));
  const words = signed.map((one) => `${one?.person}: ${JSON.stringify(one?.reason)}`);
  const reason = signed.length === 1 ? signed[0]?.reason : words.join('; ');
  return signed.every((one) => one !== undefined) && detail['reason'] === reason;
}
