import { useAnnounce } from '../shell/announcements.tsx';

/** A long value with a button that copies it. */
export function Copy({ value, what }: { value: string; what: string }) {
  const announce = useAnnounce();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(value);
      announce(`Copied the ${what}.`);
    } catch {
      announce(`The browser does not let this page copy. Mark the ${what} and copy it yourself.`);
    }
  };
  return (
    <span class="copy">
      <bdi class="code">{value}</bdi>
      <button type="button" class="small" aria-label={`Copy ${what}`} onClick={() => void copy()}>
        Copy
      </button>
    </span>
  );
}

const SHORT_LENGTH = 14;

/** The two ends of a long value. The tooltip shows all of it. */
export const Short = ({ value }: { value: string }) => (
  <bdi class="code" title={value}>
    {value.length <= SHORT_LENGTH ? value : `${value.slice(0, 8)}…${value.slice(-4)}`}
  </bdi>
);
