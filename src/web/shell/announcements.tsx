import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useRef, useState } from 'preact/hooks';

type Announce = (text: string) => void;

const AnnounceContext = createContext<Announce>(() => {});

/** Returns a function that announces a text on the screen and to screen readers. */
export const useAnnounce = (): Announce => useContext(AnnounceContext);

const SHOWN_MS = 6_000;

/** The newest text. Its region exists from the start, so that screen readers read each new text aloud. */
export function Announcements({ children }: { children: ComponentChildren }) {
  const [announced, setAnnounced] = useState<Readonly<{ key: number; text: string }> | null>(null);
  const count = useRef(0);
  const announce = useCallback((text: string) => {
    const key = (count.current += 1);
    setAnnounced({ key, text });
    setTimeout(() => setAnnounced((now) => (now?.key === key ? null : now)), SHOWN_MS);
  }, []);
  return (
    <AnnounceContext.Provider value={announce}>
      {children}
      <div class="announcements" role="status" aria-live="polite">
        {announced === null ? null : (
          <p key={announced.key}>
            <bdi>{announced.text}</bdi>
          </p>
        )}
      </div>
    </AnnounceContext.Provider>
  );
}
