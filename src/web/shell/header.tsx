import { useEffect, useState } from 'preact/hooks';
import { useAction } from '../api/use-action.ts';
import type { WebPlace } from '../api/results.ts';
import { linkTo } from '../route.ts';
import { Brand, ReaderChoices } from './brand.tsx';
import { useTexts } from './reader.tsx';
import { useMay, useSigned } from './session.tsx';
import { PAGES } from './web-pages.ts';
import { Text } from '../parts/text.tsx';

/** Where the page pays from: red where money is real. It stands on every page. */
export function Ribbon({ place: { environment, service, account } }: { place: WebPlace }) {
  const t = useTexts();
  return (
    <aside
      class={environment === 'LIVE' && service !== null ? 'ribbon live' : 'ribbon'}
      aria-label={t.ribbon.about}
    >
      <strong>{service === null ? t.ribbon.none : t.ribbon[environment]}</strong>
      {service === null ? null : (
        <span>
          <Text>{service}</Text>
        </span>
      )}
      {account === null ? null : (
        <span class="ribbon-account">
          {t.ribbon.account}{' '}
          <span title={account}>
            <Text>{endsOf(account)}</Text>
          </span>
        </span>
      )}
    </aside>
  );
}

/** The two ends of an account: its middle is the same for most accounts. */
const endsOf = (account: string): string =>
  account.length <= ENDS_MAX ? account : `${account.slice(0, 8)}…${account.slice(-6)}`;

const ENDS_MAX = 18;

/** The name, the links to the pages, and who is signed in. */
export function Header({ section }: { section: string }) {
  const t = useTexts();
  const [isOpen, setOpen] = useState(false);
  const maySubmit = useMay('submit');
  useEffect(() => setOpen(false), [section]);
  const pages = PAGES.filter(({ role }) => role === 'read' || maySubmit);
  return (
    <header class="side">
      <div class="side-head">
        <Brand />
        <button
          type="button"
          class="menu"
          aria-expanded={isOpen}
          aria-controls="pages"
          onClick={() => setOpen(!isOpen)}
        >
          {t.shell.menu}
        </button>
      </div>
      <nav id="pages" aria-label={t.shell.pages} class={isOpen ? 'open' : undefined}>
        <ul>
          {pages.map(({ path }) => (
            <li key={path}>
              <a
                href={linkTo([path])}
                aria-current={path === section ? 'page' : undefined}
                onClick={() => setOpen(false)}
              >
                {t.pages[path]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class={isOpen ? 'foot open' : 'foot'}>
        <Signed />
        <ReaderChoices />
      </div>
    </header>
  );
}

function Signed() {
  const t = useTexts();
  const { session, signOut } = useSigned();
  const action = useAction();
  const leave = async (): Promise<string> => {
    await signOut();
    return t.shell.signedOut;
  };
  return (
    <div class="signed">
      <p>
        <Text>{session.person}</Text>
        <span class="fine">{t.roles[session.role]}</span>
      </p>
      <button type="button" class="small" onClick={() => void action.run(leave)}>
        {t.shell.signOut}
      </button>
    </div>
  );
}
