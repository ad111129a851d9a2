import { useEffect, useState } from 'preact/hooks';
import { type LiveState, useLiveState } from '../api/live.ts';
import { linkTo } from '../route.ts';
import { CONSOLE_PAGES, type ConsolePage } from './console-pages.ts';
import { useAnswer } from '../api/use-answer.ts';

export type HeaderProps = Readonly<{ section: string; openHelp(): void }>;

/** The name, the links to the pages, and the state of the connection. */
export function Header({ section, openHelp }: HeaderProps) {
  const [isOpen, setOpen] = useState(false);
  const marks = usePageMarks();
  useEffect(() => setOpen(false), [section]);
  return (
    <header class="side">
      <div class="brand">
        <Mark />
        <p>
          <strong>Bursar</strong> sandbox
        </p>
        <button
          type="button"
          class="menu"
          aria-expanded={isOpen}
          aria-controls="pages"
          onClick={() => setOpen(!isOpen)}
        >
          Menu
        </button>
      </div>
      <nav id="pages" aria-label="Pages" class={isOpen ? 'open' : undefined}>
        <ul>
          {CONSOLE_PAGES.map(({ path, name }) => (
            <li key={path}>
              <a
                href={linkTo([path])}
                aria-current={path === section ? 'page' : undefined}
                onClick={() => setOpen(false)}
              >
                {name}
                <MarkText text={marks[path]} />
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="foot">
        <Connection />
        <button type="button" class="small" aria-label="Keys" onClick={openHelp}>
          <kbd>?</kbd> Keys
        </button>
      </div>
    </header>
  );
}

const MarkText = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : <span class="sign">{text}</span>;

const CONNECTIONS: Readonly<Record<LiveState, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Connection lost, trying again',
};

/** Screen readers read it aloud when it changes. */
function Connection() {
  const state = useLiveState();
  return (
    <p class={`connection ${state}`} role="status" aria-label="Connection">
      {CONNECTIONS[state]}
    </p>
  );
}

const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="8" />
    <path d="M9 11h14M9 16h14M9 21h8" />
  </svg>
);

/** Beyond this count the page shows "99+". */
const COUNT_MAX = 99;

/**
 * Returns a mark for each page: how many objects wait for a person, or that faults or modes change
 * the sandbox.
 */
function usePageMarks(): Partial<Record<ConsolePage['path'], string>> {
  const waiting = useAnswer('GET /mass-payouts', {
    query: { state: 'PENDING_CONFIRMATION', limit: COUNT_MAX + 1 },
  });
  const webhooks = useAnswer('GET /webhooks');
  const faults = useAnswer('GET /faults');
  const modes = useAnswer('GET /modes');
  const blocked = webhooks.value?.subscriptions.filter((each) => each.blockedByErrorCount);
  const changed = Object.keys(modes.value?.overrides ?? {});
  return present({
    payouts: markOf(waiting.value?.massPayouts.length, 'to confirm'),
    webhooks: markOf(blocked?.length, 'blocked'),
    faults: markOf(faults.value?.faults.length, 'on'),
    modes: markOf(changed.length, 'changed'),
  });
}

function markOf(count: number | undefined, what: string): string | undefined {
  if (count === undefined || count === 0) return undefined;
  return `${count > COUNT_MAX ? `${COUNT_MAX}+` : count} ${what}`;
}

const present = <Key extends string>(
  marks: Readonly<Record<Key, string | undefined>>,
): Partial<Record<Key, string>> =>
  Object.fromEntries(Object.entries(marks).filter(([, text]) => text !== undefined)) as Partial<
    Record<Key, string>
  >;
