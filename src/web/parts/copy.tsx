import { useAnnounce } from '../shell/announcements.tsx';
import { useTexts } from '../shell/reader.tsx';

/** A button that copies a value. */
export function Copy({ value, what }: { value: string; what: string }) {
  const t = useTexts();
  const announce = useAnnounce();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(value);
      announce(t.copy.done(what));
    } catch {
      announce(t.copy.refused(what));
    }
  };
  return (
    <button
      type="button"
      class="small"
      aria-label={`${t.copy.button}: ${what}`}
      onClick={() => void copy()}
    >
      {t.copy.button}
    </button>
  );
}
