import { useEffect, useRef, useState } from 'preact/hooks';
import { AccountsPage } from './pages/accounts.tsx';
import { DeliveriesPage } from './pages/deliveries.tsx';
import { EventsPage } from './pages/events.tsx';
import { FaultsPage } from './pages/faults.tsx';
import { ModesPage } from './pages/modes.tsx';
import { PayoutPage } from './pages/payout.tsx';
import { PayoutsPage } from './pages/payouts.tsx';
import { RequestsPage } from './pages/requests.tsx';
import { WebhooksPage } from './pages/webhooks.tsx';
import { type ConsoleRoute, useRoute } from './route.ts';
import { Header } from './shell/header.tsx';
import { useShortcuts } from './shell/shortcuts.ts';
import { PageHead } from './parts/section.tsx';
import { DialogActions } from './parts/action-button.tsx';
import { Dialog } from './parts/dialog.tsx';
import { CONSOLE_PAGES } from './shell/console-pages.ts';

/** The whole page: the navigation, and the present page. */
export function App() {
  const route = useRoute();
  const main = useRef<HTMLElement>(null);
  const [isHelpOpen, setHelpOpen] = useState(false);
  useShortcuts({ openHelp: () => setHelpOpen(true) });
  const path = route.path.join('/');
  const isFirst = useRef(true);
  useEffect(() => {
    // A new page moves the focus to its start. The first page leaves the focus to the browser.
    if (!isFirst.current) main.current?.focus();
    isFirst.current = false;
    scrollTo(0, 0);
  }, [path]);
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the content
      </a>
      <Header section={route.path[0] ?? 'payouts'} openHelp={() => setHelpOpen(true)} />
      <main id="main" ref={main} tabIndex={-1}>
        <Page key={path} {...route} />
      </main>
      {isHelpOpen ? <Help onClose={() => setHelpOpen(false)} /> : null}
    </>
  );
}

function Page(route: ConsoleRoute) {
  const [section = 'payouts', detail] = route.path;
  switch (section) {
    case 'payouts':
      return detail === undefined ? (
        <PayoutsPage query={route.query} />
      ) : (
        <PayoutPage id={detail} query={route.query} />
      );
    case 'accounts':
      return <AccountsPage query={route.query} />;
    case 'webhooks':
      return <WebhooksPage />;
    case 'deliveries':
      return <DeliveriesPage query={route.query} />;
    case 'events':
      return <EventsPage />;
    case 'faults':
      return <FaultsPage />;
    case 'modes':
      return <ModesPage />;
    case 'requests':
      return <RequestsPage query={route.query} />;
    default:
      return <NotFoundPage />;
  }
}

const NotFoundPage = () => (
  <>
    <PageHead title="Page not found" name="Page not found" />
    <p class="empty">
      The address of this page has a mistake. <a href="#/payouts">Go to the payouts.</a>
    </p>
  </>
);

const KEYS = [
  ['/', 'search or filter'],
  ['j', 'next in a list'],
  ['k', 'previous in a list'],
  ['Enter', 'open'],
  ['Esc', 'close a dialog without doing anything'],
  ['?', 'this help'],
] as const;

const Help = ({ onClose }: { onClose(): void }) => (
  <Dialog title="Keys" onClose={onClose}>
    <dl class="keys">
      {CONSOLE_PAGES.map(({ key, name }) => (
        <div key={key}>
          <dt>
            <kbd>g</kbd> <kbd>{key}</kbd>
          </dt>
          <dd>{name}</dd>
        </div>
      ))}
      {KEYS.map(([key, does]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
    <DialogActions onClose={onClose} closeLabel="Close" />
  </Dialog>
);
