import type { CallError } from '../api/call-admin.ts';
import { Text } from './text.tsx';

/** What a person can do about an error, where it is not said by its own message. */
const ADVICE: Readonly<Record<string, string>> = {
  STATE_CONFLICT: 'It has moved on meanwhile. Look at its state now and decide again.',
  NOT_FOUND: 'It is not there any more, or the address of this page has a mistake.',
  INSUFFICIENT_FUNDS: 'Top the account up, then do it again.',
  FIELD_INVALID: 'Change the field and send it again.',
  FIELD_UNKNOWN: 'The sandbox is older or newer than this page. Load the page again.',
  PAGE_FORBIDDEN: 'Open the console at the address that the sandbox printed when it started.',
};

const NO_ANSWER = 'Start it again, or wait: this page tries again by itself.';

/** An error as it came: what did not work, why, and how to mend it. */
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
