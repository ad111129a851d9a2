import { useEffect, useRef } from 'preact/hooks';
import { AuditPage } from './pages/audit.tsx';
import { BatchPage } from './pages/batch/batch.tsx';
import { ApprovePage } from './pages/batch/approve.tsx';
import { ResendPage } from './pages/batch/resend.tsx';
import { RowPage } from './pages/batch/row.tsx';
import { BatchesPage } from './pages/batches.tsx';
import { FindPage } from './pages/find.tsx';
import { FundsPage } from './pages/funds.tsx';
import { InboxPage } from './pages/inbox.tsx';
import { PasskeyPage } from './pages/passkey.tsx';
import { PayeePage } from './pages/payees/payee.tsx';
import { PayeesPage } from './pages/payees/payees.tsx';
import { NewPaymentPage } from './pages/payment/new-payment.tsx';
import { PeoplePage } from './pages/people.tsx';
import { SchedulesPage } from './pages/schedules.tsx';
import { PageHead } from './parts/section.tsx';
import { linkTo, useRoute, type WebRoute } from './route.ts';
import { Header, Ribbon } from './shell/header.tsx';
import { useTexts } from './shell/reader.tsx';
import { SessionEnd } from './shell/session-end.tsx';
import { useSigned } from './shell/session.tsx';

/** The whole page of a person with a session. */
export function App() {
  const t = useTexts();
  const { place } = useSigned();
  const route = useRoute();
  const main = useRef<HTMLElement>(null);
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
        {t.shell.skip}
      </a>
      <Ribbon place={place} />
      <SessionEnd />
      <div class="frame">
        <Header section={route.path[0] ?? 'inbox'} />
        <main id="main" ref={main} tabIndex={-1}>
          <Page key={path} {...route} />
        </main>
      </div>
    </>
  );
}

function Page(route: WebRoute) {
  const [section = 'inbox', first, second, third] = route.path;
  switch (section) {
    case 'inbox':
      return <InboxPage />;
    case 'new':
      return <NewPaymentPage />;
    case 'batches':
      if (first === undefined) return <BatchesPage query={route.query} />;
      if (second === 'approve') return <ApprovePage batchId={first} query={route.query} />;
      if (second === 'resend') return <ResendPage batchId={first} />;
      if (second === 'rows' && third !== undefined) return <RowPage batchId={first} row={third} />;
      return <BatchPage batchId={first} query={route.query} />;
    case 'find':
      return <FindPage word={route.query.get('word') ?? ''} />;
    case 'funds':
      return <FundsPage />;
    case 'schedules':
      return <SchedulesPage />;
    case 'payees':
      if (first === undefined) {
        const { query } = route;
        return <PayeesPage search={query.get('search') ?? ''} after={query.get('after') ?? ''} />;
      }
      return <PayeePage address={first} network={route.query.get('network') ?? ''} />;
    case 'audit':
      return <AuditPage batchId={route.query.get('batch')} />;
    case 'people':
      return <PeoplePage />;
    case 'passkey':
      return <PasskeyPage />;
    default:
      return <NotFoundPage />;
  }
}

function NotFoundPage() {
  const t = useTexts();
  return (
    <>
      <PageHead title={t.shell.noPage} name={t.shell.noPage} />
      <p class="empty">
        <a href={linkTo([])}>{t.shell.toInbox}</a>
      </p>
    </>
  );
}
