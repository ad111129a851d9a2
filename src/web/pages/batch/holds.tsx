import { callOperation } from '../../api/call.ts';
import type { WebBatch, WebHold } from '../../api/results.ts';
import { ReasonButton } from '../../parts/reason-button.tsx';
import { Facts, Section } from '../../parts/section.tsx';
import { ServerText } from '../../parts/said.tsx';
import { Text } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { signDecision } from '../../passkey/decision.ts';
import { linkTo } from '../../route.ts';
import { useTexts } from '../../shell/reader.tsx';
import { holdFacts } from '../../words/hold-facts.ts';
import { useMay, useSigned } from '../../shell/session.tsx';

type HoldsProps = Readonly<{ batch: WebBatch; onChange(): void }>;

/** Why the batch sends nothing for now, and how it goes on. */
export function BatchHolds({ batch, onChange }: HoldsProps) {
  const t = useTexts();
  if (batch.holds.length === 0 || batch.isOver) return null;
  return (
    <>
      {batch.holds.map((hold) => (
        <Section
          key={hold.n}
          title={t.holds.kinds[hold.kind]}
          actions={<Lift batch={batch} hold={hold} onChange={onChange} />}
        >
          <p class="note held">
            <HoldReason {...hold} />
          </p>
          <Facts
            facts={[
              [t.holds.by, <Text key="by">{hold.by}</Text>],
              [t.holds.since, <Time key="since" value={hold.since} />],
              ...holdFacts(hold.facts, t).map(
                ([name, value]) => [name, <Text key={name}>{value}</Text>] as const,
              ),
            ]}
          />
          <p class="below">
            {isByApproval(batch, hold) ? t.holds.needsApproval : t.holds.needsResume}
          </p>
        </Section>
      ))}
    </>
  );
}

/** A pause is lifted by a person who may resume; the hold of a rule by approvals, where there is a policy. */
const isByApproval = ({ holdsLiftedBy }: WebBatch, { kind }: WebHold): boolean =>
  kind !== 'PAUSE' && holdsLiftedBy === 'approve';

/** The words of the person who paused the batch, or those of the server about its rule. */
export const HoldReason = ({
  kind,
  reason,
}: Readonly<{ kind: WebHold['kind']; reason: string }>) =>
  kind === 'PAUSE' ? <Text>{reason}</Text> : <ServerText>{reason}</ServerText>;

function Lift({ batch, hold, onChange }: HoldsProps & Readonly<{ hold: WebHold }>) {
  const t = useTexts();
  const mayOperate = useMay('operate');
  const { session } = useSigned();
  const { batchId } = batch;
  if (isByApproval(batch, hold)) {
    return (
      <a class="button first" href={linkTo(['batches', batchId, 'approve'])}>
        {t.approve.open}
      </a>
    );
  }
  if (!mayOperate) return null;
  return (
    <ReasonButton
      label={t.acts.resume}
      about={`${batchId} ${hold.n}`}
      kind="first"
      question={t.acts.resumeQuestion}
      work={async (reason) => {
        await resumeHold({ batchId, hold: hold.n, reason, person: session.person });
        onChange();
        return t.acts.resumed;
      }}
    />
  );
}

type ResumedHold = Readonly<{ batchId: string; hold: number; reason: string; person: string }>;

/** Lifts a hold. Where the policy counts signatures, the person signs with their passkey. @throws ApiFailure, PasskeyFailure */
async function resumeHold({ batchId, hold: n, reason, person }: ResumedHold): Promise<void> {
  const { holds } = await callOperation('liftableHolds', { batchId, reason });
  const question = holds.find(({ hold }) => hold.n === n)?.question ?? null;
  if (question === null || question.policy.mode === 'unsigned') {
    await callOperation('resumeBatch', { batchId, reason, hold: n });
    return;
  }
  const { subject, policy, consent = 'approve' } = question;
  const about = { batchId: question.batchId, subject, decision: consent, person, reason };
  const approval = await signDecision({ ...about, lastsMs: policy.expiresAfterMs });
  await callOperation('resumeBatch', { batchId, reason, hold: n, approval });
}
