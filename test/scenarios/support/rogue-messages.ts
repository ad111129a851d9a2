import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc, { type Arbitrary } from 'fast-check';
import {
  aftercareWorkflowId,
  batchWorkflowId,
  partitionWorkflowId,
} from '../../../src/contract/names.ts';
import { type Approval, DECISIONS } from '../../../src/domain/approval/statement.ts';
import { isoOf } from '../../support/approvers.ts';

type Kind = 'SIGNAL' | 'UPDATE' | 'QUERY';
type MessageName = Readonly<{ kind: Kind; name: string }>;

/** One message to one workflow. */
export type Message = MessageName & Readonly<{ workflowId: string; payload: unknown }>;

/** Every message that a workflow of the engine takes, as its contract names it. */
export async function everyMessage(): Promise<MessageName[]> {
  const folder = fileURLToPath(new URL('../../../src/contract/', import.meta.url));
  const modules = await Promise.all(
    readdirSync(folder)
      .filter((name) => name.endsWith('.ts'))
      .map((name) => import(join(folder, name)) as Promise<object>),
  );
  return modules.flatMap((module) =>
    Object.entries(module).flatMap(([constant, name]) => {
      const [kind = ''] = constant.split('_');
      const isMessage = ['SIGNAL', 'UPDATE', 'QUERY'].includes(kind) && typeof name === 'string';
      return isMessage ? [{ kind: kind as Kind, name }] : [];
    }),
  );
}

/** What a client without a key knows. `statements`: what people signed, to be handed in again. */
export type Known = Signed &
  Readonly<{
    batchIds: readonly string[];
    /** Workflows that belong to no single batch. */
    others: readonly string[];
    messages: readonly MessageName[];
  }>;

type Signed = Readonly<{ names: readonly string[]; statements: readonly Approval[] }>;

/** Every message, without content, to every workflow: a handler that takes a message apart fails on these first. */
export function emptyMessages({ batchIds, others, messages }: Known): Message[] {
  const targets = [...batchIds.flatMap(workflowsOf), ...others];
  return targets.flatMap((workflowId) =>
    messages.map((message) => ({ ...message, workflowId, payload: null })),
  );
}

const workflowsOf = (batchId: string): string[] => [
  batchWorkflowId(batchId),
  partitionWorkflowId(batchId, 0),
  aftercareWorkflowId(batchId),
];

/** Messages of every kind to workflows of the batches, and to others, in any order. */
export function anyMessages(known: Known): Arbitrary<Message[]> {
  const one = fc.constantFrom(...known.batchIds).chain((batchId) => {
    const ids = workflowsOf(batchId);
    const target = fc.constantFrom(...ids, batchWorkflowId(batchId), ...known.others);
    return fc
      .constantFrom(...known.messages)
      .chain(({ kind, name }) =>
        fc
          .record({ workflowId: target, payload: payloadOf(name, batchId, known) })
          .map(({ workflowId, payload }) => ({ kind, name, workflowId, payload })),
      );
  });
  return fc.array(one, { minLength: 5, maxLength: 25, size: 'max' });
}

/** What a message of this name carries, mostly in its own form, with names of people in it; sometimes the form of another. */
export function payloadOf(name: string, batchId: string, known: Signed): Arbitrary<unknown> {
  const forms = formsOf(batchId, known);
  const others = fc.oneof(...Object.values(forms), fc.anything({ maxDepth: 2 }));
  const own = Object.hasOwn(forms, name) ? forms[name as keyof typeof forms] : undefined;
  return own === undefined ? others : fc.oneof({ weight: 3, arbitrary: own }, others);
}

function formsOf(batchId: string, { names, statements }: Signed) {
  const by = fc.constantFrom(...names, 'Bursar', 'Temporal');
  const reason = fc.constantFrom('as agreed', 'approved', '');
  const subject = fc.oneof(fc.constantFrom(...statements.map((one) => one.subject)), fc.string());
  const forged = fc.record({
    batchId: fc.constant(batchId),
    person: by,
    decision: fc.constantFrom(...DECISIONS),
    subject,
    reason,
    issuedAt: fc.constant(isoOf(Date.now())),
    expiresAt: fc.constant(isoOf(Date.now() + 3_600_000)),
    signature: fc.constantFrom(null, 'AA==', ...statements.map((one) => one.signature)),
  });
  const changed = fc
    .record({ one: fc.constantFrom(...statements), person: by, subject })
    .map(({ one, ...other }) => ({ ...one, ...other, batchId }));
  const approval = fc.oneof(fc.constantFrom(...statements), forged, changed);
  const hold = fc.record({
    n: fc.nat(3),
    kind: fc.constantFrom('PAUSE', 'APPROVAL', 'FEE_DRIFT'),
    reason,
    by,
    since: fc.constant(isoOf(Date.now())),
    facts: fc.constant({}),
  });
  const chunk = fc.nat(3);
  const named = fc.oneof(hold, fc.record({ n: fc.nat(3) }));
  const act = fc.record({ by, reason });
  // It ends the batch.
  const mostlyNull = fc.oneof({ weight: 20, arbitrary: fc.constant(null) }, reason);
  return {
    pause: act,
    cancel: act,
    approve: fc.record({ approval, by }),
    resume: fc.record({ by, reason, hold: named, approval }, { requiredKeys: ['by', 'reason'] }),
    resolve: fc.record(
      {
        by,
        reason,
        chunk,
        answer: fc.constantFrom('not-created', 'abandon', 'adopt'),
        massPayoutId: fc.string(),
        attempts: fc.nat(2),
        approval,
      },
      { requiredKeys: ['by', 'reason', 'chunk', 'answer'] },
    ),
    progress: fc.record(
      {
        partition: chunk,
        sent: fc.boolean(),
        halt: mostlyNull,
        needsOperator: fc.array(chunk),
        hold,
      },
      { requiredKeys: ['partition', 'sent', 'halt', 'needsOperator'] },
    ),
    hint: fc.record({ chunks: fc.array(chunk) }),
  };
}
