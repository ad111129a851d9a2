import { useState } from 'preact/hooks';
import { callOperation } from '../../api/call.ts';
import type { ResultOf } from '../../api/results.ts';
import { useAction } from '../../api/use-action.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { ErrorNote, Loading } from '../../parts/error-note.tsx';
import { Field } from '../../parts/field.tsx';
import { ReasonButton } from '../../parts/reason-button.tsx';
import { Facts, PageHead, Section } from '../../parts/section.tsx';
import { Code, Text, TextOrNone } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { linkTo } from '../../route.ts';
import { useTexts } from '../../shell/reader.tsx';
import { useMay } from '../../shell/session.tsx';
import { countText } from '../../words/amounts.ts';
import { PayeeBadge } from './payees.tsx';

type PayeeHistory = ResultOf<'showPayee'>;

/** Characters of a name, as the server takes them. */
const NAME_MAX = 200;

/** One payee: its payments, its decision, its name and labels. */
export function PayeePage({ address, network }: Readonly<{ address: string; network: string }>) {
  const t = useTexts();
  const named = { address, ...(network === '' ? {} : { currency: network }) };
  const { value, error, reload } = useAnswer(
    (signal) => callOperation('showPayee', named, signal),
    { key: `payee ${network} ${address}` },
  );
  return (
    <>
      <p class="back">
        <a href={linkTo(['payees'])}>{t.payees.back}</a>
      </p>
      <Loading error={error} isEmpty={value === null} />
      {value === null ? (
        <PageHead title={t.payees.payee} name={t.payees.payee} />
      ) : (
        <PayeeOf payee={value} onChange={reload} />
      )}
    </>
  );
}

type PayeeProps = Readonly<{ payee: PayeeHistory; onChange(): void }>;

function PayeeOf({ payee, onChange }: PayeeProps) {
  const t = useTexts();
  const mayChange = useMay('operate');
  const { address, network, name, labels, status } = payee;
  return (
    <>
      <PageHead
        title={
          <>
            {name === null ? t.payees.noName : <Text>{name}</Text>} <PayeeBadge status={status} />
          </>
        }
        name={name ?? t.payees.payee}
        actions={mayChange ? <Decisions payee={payee} onChange={onChange} /> : undefined}
      />
      <Section title={t.payees.payee}>
        <Facts
          isWide
          facts={[
            [t.payees.address, <Code key="address">{address}</Code>],
            [t.payees.network, <Text key="network">{network}</Text>],
            [t.payees.email, <TextOrNone key="email">{payee.email}</TextOrNone>],
            [t.payees.labels, <TextOrNone key="labels">{labels.join(', ')}</TextOrNone>],
            [t.payees.added, <At key="added" at={payee.addedAt} by={payee.addedBy} />],
            [t.payees.decided, <At key="decided" at={payee.decidedAt} by={payee.decidedBy} />],
            [t.payees.reason, <TextOrNone key="reason">{payee.reason}</TextOrNone>],
            [t.payees.payments, countText(payee.payments)],
            [t.payees.first, <Payment key="first" payment={payee.firstPaid} />],
            [t.payees.last, <Payment key="last" payment={payee.lastPaid} />],
          ]}
        />
      </Section>
      {mayChange && status !== 'UNLISTED' ? (
        <Section title={t.payees.describe}>
          <Description
            key={`${name} ${payee.email} ${labels.join(' ')}`}
            payee={payee}
            onChange={onChange}
          />
        </Section>
      ) : null}
    </>
  );
}

function At({ at, by }: Readonly<{ at: string | null; by: string | null }>) {
  const t = useTexts();
  return (
    <>
      <Time value={at} /> {by === null ? null : <Text>{t.payees.by(by)}</Text>}
    </>
  );
}

function Payment({ payment }: Readonly<{ payment: PayeeHistory['firstPaid'] }>) {
  const t = useTexts();
  if (payment === null) return <>{t.payees.never}</>;
  const { batchId, row, at } = payment;
  return (
    <>
      <Time value={at} />{' '}
      <a href={linkTo(['batches', batchId, 'rows', row])}>
        <Text>{batchId}</Text>, {t.payees.row(row)}
      </a>
    </>
  );
}

function Decisions({ payee, onChange }: PayeeProps) {
  const t = useTexts();
  const { address, network, name, status } = payee;
  const about = name ?? address;
  const decide = async (decision: 'ALLOWED' | 'DENIED', reason: string): Promise<string> => {
    await callOperation('decidePayee', { address, currency: network, decision, reason });
    onChange();
    return decision === 'ALLOWED' ? t.payees.allowed : t.payees.denied;
  };
  return (
    <>
      {status === 'ALLOWED' ? null : (
        <ReasonButton
          label={t.payees.allow}
          about={about}
          question={t.payees.allowAbout}
          work={(reason) => decide('ALLOWED', reason)}
        />
      )}
      {status === 'DENIED' ? null : (
        <ReasonButton
          label={t.payees.deny}
          about={about}
          question={t.payees.denyAbout}
          kind="danger"
          work={(reason) => decide('DENIED', reason)}
        />
      )}
    </>
  );
}

function Description({ payee, onChange }: PayeeProps) {
  const t = useTexts();
  const action = useAction();
  const { address, network } = payee;
  const [name, setName] = useState(payee.name ?? '');
  const [email, setEmail] = useState(payee.email ?? '');
  const [labels, setLabels] = useState(payee.labels.join(' '));
  const named = { address, currency: network };
  const save = async (): Promise<string> => {
    const words = labels.split(/[\s,;]+/).filter((word) => word !== '');
    if (name.trim() !== (payee.name ?? '')) await callOperation('namePayee', { ...named, name });
    if (email.trim() !== (payee.email ?? '')) {
      await callOperation('emailPayee', { ...named, email });
    }
    if (words.join(' ') !== payee.labels.join(' ')) {
      await callOperation('labelPayee', { ...named, labels: words });
    }
    onChange();
    return t.payees.saved;
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void action.run(save);
      }}
    >
      <div class="fields">
        <Field label={t.payees.name} hint={t.payees.nameHint}>
          <input
            type="text"
            maxLength={NAME_MAX}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </Field>
        <Field label={t.payees.email} hint={t.payees.emailHint}>
          <input
            type="email"
            value={email}
            onInput={(event) => setEmail(event.currentTarget.value)}
          />
        </Field>
        <Field label={t.payees.labels} hint={t.payees.labelsHint}>
          <input
            type="text"
            value={labels}
            onInput={(event) => setLabels(event.currentTarget.value)}
          />
        </Field>
      </div>
      <ErrorNote what={t.payees.notSaved} error={action.error} />
      <div class="form-actions">
        <button type="submit" class="first" aria-disabled={action.isRunning}>
          {t.payees.save}
        </button>
      </div>
    </form>
  );
}
