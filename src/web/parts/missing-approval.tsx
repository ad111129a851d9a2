import type { ApprovalGap } from '../../domain/approval/gaps.ts';
import { useTexts } from '../shell/reader.tsx';
import { gapWords } from '../words/approvals.ts';
import { Text } from './text.tsx';

/** An approval that is missing: `Still needed: 1 person from finance: carol`. */
export function MissingApproval({ gap }: { gap: ApprovalGap }) {
  const t = useTexts();
  return (
    <>
      {t.approve.missing} <Text>{gapWords(gap, t)}</Text>
    </>
  );
}

/** The missing approvals, a paragraph each. */
export function MissingApprovals({ gaps }: { gaps: readonly ApprovalGap[] }) {
  const t = useTexts();
  return (
    <>
      {gaps.map((gap) => (
        <p key={gapWords(gap, t)}>
          <MissingApproval gap={gap} />
        </p>
      ))}
    </>
  );
}
