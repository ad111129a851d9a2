import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useRef, useState } from 'preact/hooks';

type Say = (text: string) => void;

const SayContext = createContext<Say>(() => {});

/** Tells people what was done, on the screen and to screen readers. */
export const useAnnounce = (): Say => useContext(SayContext);

const SHOWN_MS = 6_000;

/** The region is there from the start, so that what comes into it is read aloud. */
export function Announcements({ children }: { children: ComponentChildren }) {
  const [said, setSaid] = useState<readonly Readonly<{ key: number; text: string }>[]>([]);
  const count = useRef(0);
  const say = useCallback((text: string) => {
    const key = (count.current += 1);
    setSaid((before) => [...before, { key, text }]);
    setTimeout(() => setSaid((before) => before.filter((each) => each.key !== key)), SHOWN_MS);
  }, []);
  return (
    <SayContext.Provider value={say}>
      {children}
      <div class="announcements" role="status" aria-live="polite">
        {said.map(({ key, text }) => (
          <p key={key}>
            <bdi>{text}</bdi>
          </p>
        ))}
      </div>
    </SayContext.Provider>
  );
}
