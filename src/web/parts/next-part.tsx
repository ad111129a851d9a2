import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** What takes the place of a part that is gone. Where that had the focus, this takes it, for keys and screen readers. */
export function NextPart({ children }: { children: ComponentChildren }) {
  const part = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A removed element leaves the focus to the body.
    if (document.activeElement === document.body) part.current?.focus();
  }, []);
  return (
    <div ref={part} class="next-part" tabIndex={-1}>
      {children}
    </div>
  );
}
