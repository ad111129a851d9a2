import type { AuditEntry } from '../../domain/audit/chain.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import {
  decidedOver,
  importedOver,
  type Payee,
  type PayeeActor,
  type PayeeDecision,
} from '../../domain/payees/payee.ts';
import { payeeIdOf } from '../../domain/payees/payee-address.ts';
import { PAYEES_PER_WRITE } from '../../store/payees/payees.ts';
import {
  payeeEmailFault,
  payeeLabelsFault,
  payeeNameFault,
  readPayeeLabels,
} from '../../domain/payees/payee-texts.ts';
import type { Sources } from '../batch/types.ts';
import { flagInvalid } from '../input/flag-error.ts';
import type { OperationContext } from '../context.ts';
import { payeeAccount, payeeActor } from './account.ts';
import { findPayee, type NamedPayee } from './find-payee.ts';
import { type PayeeView, payeeView } from './payee-view.ts';
import { type PayeeSource, readPayeeFile } from './read-payees.ts';

/** What an import did. `stillDenied`: payees that the file does not deny, and that stay denied. */
export type PayeeImport = Readonly<{ rows: number; changed: number; stillDenied: number }>;

/**
 * Imports a file of payees. The whole file is checked first, and then written a part at a time: an import that was cut off
 * is finished by the same command. @throws the errors of `readPayeeFile`
 */
export async function importPayees(
  sources: Sources,
  file: PayeeSource,
  context: OperationContext,
): Promise<PayeeImport> {
  const account = payeeAccount(sources);
  const { sha256, payees } = await readPayeeFile(file);
  const actor = await payeeActor(sources, context);
  const { store } = sources;
  let [changed, stillDenied] = [0, 0];
  for (let from = 0; from < payees.length; from += PAYEES_PER_WRITE) {
    const keys = payees.slice(from, from + PAYEES_PER_WRITE);
    const denied = new Set(keys.filter(({ decision }) => decision === 'DENIED').map(nameOf));
    const written = await store.payees.change({
      account,
      keys,
      next: (known, row) => importedOver(known, row, actor),
      entryOf: (all) => entry(actor, 'payees-import', { sha256, payees: all.length }),
    });
    changed += written.length;
    const after = await store.payees.find(account, keys);
    stillDenied += after.filter(
      (payee) => payee.decision?.kind === 'DENIED' && !denied.has(nameOf(payee)),
    ).length;
    context.show(`${from + keys.length} of ${payees.length} payees`);
  }
  context.clear();
  return { rows: payees.length, changed, stillDenied };
}

const nameOf = ({ network, address }: Readonly<{ network: string; address: string }>): string =>
  `${network} ${address}`;

/** Allows or denies a payee. An address that is not in the register is added. @throws FLAG_INVALID */
export async function decidePayee(
  sources: Sources,
  asked: NamedPayee & Readonly<{ kind: PayeeDecision; reason: string }>,
  context: OperationContext,
): Promise<PayeeView> {
  const { kind, reason } = asked;
  const action = kind === 'DENIED' ? 'payee-deny' : 'payee-allow';
  return changeOne(sources, { asked, context, action, detail: { reason } }, (known, key, actor) =>
    decidedOver(known, { ...key, kind, reason }, actor),
  );
}

/** Gives a payee of the register a name, an e-mail address or labels; an empty text removes it. @throws FLAG_INVALID, PAYEE_NOT_FOUND */
export async function describePayee(
  sources: Sources,
  asked: NamedPayee & PayeeDescription,
  context: OperationContext,
): Promise<PayeeView> {
  const { name, email, labels } = readDescription(asked);
  const action =
    name !== undefined ? 'payee-name' : email !== undefined ? 'payee-email' : 'payee-label';
  return changeOne(sources, { asked, context, action, detail: {} }, (known) => {
    if (known === undefined) throw new BursarError('PAYEE_NOT_FOUND', { address: asked.address });
    return {
      ...known,
      name: name ?? known.name,
      email: email ?? known.email,
      labels: labels ?? known.labels,
    };
  });
}

/** @throws FLAG_INVALID */
function readDescription({ name, email, labels: words }: PayeeDescription): PayeeDescription {
  const labels = words && readPayeeLabels(words.join(' '));
  const faults = [
    ['NAME', name === undefined ? null : payeeNameFault(name), 'the name'],
    ['EMAIL', email === undefined ? null : payeeEmailFault(email), 'the e-mail'],
    ['LABELS', labels === undefined ? null : payeeLabelsFault(labels), 'a label'],
  ] as const;
  for (const [flag, fault, subject] of faults) {
    if (fault !== null) throw flagInvalid(flag, `${subject} ${fault}`);
  }
  return {
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(labels && { labels }),
  };
}

/** One of them is there. */
export type PayeeDescription = Readonly<{
  name?: string;
  email?: string;
  labels?: readonly string[];
}>;

type OneChange = Readonly<{
  asked: NamedPayee;
  context: OperationContext;
  action: string;
  detail: Readonly<Record<string, string>>;
}>;

type NextPayee = (
  known: Payee | undefined,
  key: Readonly<{ network: string; address: string; written: string }>,
  actor: PayeeActor,
) => Payee;

async function changeOne(
  sources: Sources,
  { asked, context, action, detail }: OneChange,
  next: NextPayee,
): Promise<PayeeView> {
  const account = payeeAccount(sources);
  const { store } = sources;
  const found = await findPayee(store, account, asked);
  const actor = await payeeActor(sources, context);
  await store.payees.change({
    account,
    keys: [found],
    next: (known, key) => next(known, key, actor),
    entryOf: () => entry(actor, action, { payee: payeeIdOf(account, found), ...detail }),
  });
  const [after] = await store.payees.find(account, [found]);
  if (after === undefined) throw new BursarError('PAYEE_NOT_FOUND', { address: asked.address });
  return payeeView(account, after);
}

const entry = (
  { by, atMs }: PayeeActor,
  action: string,
  detail: AuditEntry['detail'],
): AuditEntry => ({ atMs, batchId: null, actor: by, action, detail });
