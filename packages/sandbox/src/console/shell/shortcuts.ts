import { useEffect, useRef } from 'preact/hooks';
import { openLink, linkTo } from '../route.ts';
import { CONSOLE_PAGES } from './console-pages.ts';

/** How long `g` waits for the key of a page. */
const SEQUENCE_MS = 1_500;

export type ShortcutDeps = Readonly<{ openHelp(): void }>;

/** Keyboard shortcuts. They do not work while a person types into a field. */
export function useShortcuts({ openHelp }: ShortcutDeps): void {
  const goSince = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    function press(event: KeyboardEvent): void {
      if (isTaken(event)) return;
      const isSequence = event.timeStamp - goSince.current < SEQUENCE_MS;
      goSince.current = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const page = isSequence ? CONSOLE_PAGES.find(({ key }) => key === event.key) : undefined;
      if (page !== undefined) openLink(linkTo([page.path]));
      else if (event.key === '?') openHelp();
      else if (event.key === '/') focusSearch(event);
      else if (event.key === 'j') focusRow(1);
      else if (event.key === 'k') focusRow(-1);
    }
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

function isTaken({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || document.querySelector('dialog[open]') !== null) return true;
  return target instanceof Element && target.matches('input, select, textarea');
}

function focusSearch(event: KeyboardEvent): void {
  const search = document.querySelector<HTMLInputElement>('main input[type="search"]');
  if (search === null) return;
  event.preventDefault();
  search.focus();
  search.select();
}

/** Moves the focus to the next link or summary that represents a row of a list. */
function focusRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')];
  const now = rows.findIndex((row) => row === document.activeElement);
  const next = now < 0 ? rows[step > 0 ? 0 : rows.length - 1] : rows[now + step];
  next?.focus();
}
