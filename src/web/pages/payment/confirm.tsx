import type { FailureFacts } from '../../api/call.ts';
import { TypedTotals } from '../../parts/typed-totals.tsx';
import { useTexts } from '../../shell/reader.tsx';
import type { PlannedPayment } from './payment.ts';

type ConfirmFormProps = Readonly<{
  planned: PlannedPayment;
  isUpToDate: boolean;
  isBusy: boolean;
  error: FailureFacts | null;
  onPay(): void;
}>;

/** The last step, or why the plan cannot be started yet. */
export function ConfirmForm({ planned, isUpToDate, ...rest }: ConfirmFormProps) {
  const t = useTexts();
  const obstacle = obstacleOf(planned, isUpToDate);
  if (obstacle === null) return <TypedTotals currencies={planned.plan.currencies} {...rest} />;
  return (
    <p class="note wait" role="status">
      {t.payment.obstacles[obstacle]}
    </p>
  );
}

/** Why this plan cannot be started yet. */
export type PayObstacle = 'update' | 'refused' | 'findings' | 'blocked';

function obstacleOf({ plan }: PlannedPayment, isUpToDate: boolean): PayObstacle | null {
  const { findings, digest, problems } = plan;
  if (findings.some(({ severity }) => severity === 'block')) return 'blocked';
  if (!isUpToDate) return 'update';
  const others = problems.filter(({ code }) => code !== 'FINDINGS_NOT_ACCEPTED');
  if (digest === null || others.length > 0) return 'refused';
  const isOpen = findings.some(({ severity, accepted }) => severity === 'confirm' && !accepted);
  return isOpen ? 'findings' : null;
}
