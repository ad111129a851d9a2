import { useReader } from '../shell/reader.tsx';
import { ServerText } from './said.tsx';

type RowReasonProps = Readonly<{ outcome: string; reason: string; isInList?: boolean }>;

/** Why a row has its outcome: the words of the service, or the meaning of the outcome. */
export function RowReason({ outcome, reason, isInList = false }: RowReasonProps) {
  const { texts: t } = useReader();
  const known: Readonly<Record<string, string>> = t.row.reasons;
  return reason === '' ? (
    (known[outcome] ?? '–')
  ) : (
    <ServerText isInList={isInList}>{reason}</ServerText>
  );
}
