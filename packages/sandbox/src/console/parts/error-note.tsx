import type { CallError } from '../api/call-admin.ts';
import { Text } from './text.tsx';

/** The remedy for errors whose message has none. */
const ADVICE: Readonly<Record<string, string>> = {
  STATE_CONFLICT: 'Its state has changed. Check the new state and decide again.',
  NOT_FOUND: 'It was deleted, or the address of this page has a mistake.',
  INSUFFICIENT_FUNDS: 'Top up the account, then try again.',
  FIELD_INVALID: 'Correct the field and send the form again.',
  FIELD_UNKNOWN: 'The sandbox and this page have different versions. Load the page again.',
  PAGE_FORBIDDEN: 'Open the console at the address that the sandbox printed when it started.',
};

const NO_ANSWER = 'Start the sandbox again. This page retries automatically.';

/** An error: the failed action, the reason, and the remedy. */
export function ErrorNote({ what, error }: { what: string; error: CallError | null }) {
  if (error === null) return null;
  const advice = error.status === null ? NO_ANSWER : ADVICE[error.errorCode ?? ''];
  return (
    <div class="note bad" role="alert">
      <p>
        <strong>{what}</strong> <Text>{error.message}</Text>
      </p>
      {advice === undefined ? null : <p>{advice}</p>}
      {error.errorCode === null ? null : (
        <p class="fine">
          HTTP {error.status}, {error.errorCode}, trace <bdi>{error.traceId}</bdi>
        </p>
      )}
    </div>
  );
}
