import { useState } from 'preact/hooks';

const STEP = 50;

/** The length of a list on the page. `more` extends it, so that the rows above stay in place. */
export function useLength(): Readonly<{ length: number; more(): void }> {
  const [length, setLength] = useState(STEP);
  return { length, more: () => setLength((before) => Math.min(before + STEP, LENGTH_MAX)) };
}

/** The longest page of every list of the admin API. */
const LENGTH_MAX = 1_000;

export type MoreProps = Readonly<{ next: number | null; shown: number; onMore(): void }>;

export function More({ next, shown, onMore }: MoreProps) {
  if (next === null) return null;
  if (shown >= LENGTH_MAX) {
    return <p class="empty">The newest {LENGTH_MAX} are shown. Use the filters to find others.</p>;
  }
  return (
    <p class="more">
      <button type="button" onClick={onMore}>
        Show more
      </button>
    </p>
  );
}
