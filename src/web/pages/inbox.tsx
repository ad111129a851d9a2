import { plainName } from '../../domain/approval/people.ts';
import { callList } from '../api/call.ts';
import type { ItemOf } from '../api/results.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Loading } from '../parts/error-note.tsx';
import { PasskeyAdvice } from '../parts/passkey-advice.tsx';
import { MoneyList } from '../parts/money.tsx';
import { MissingApprovals } from '../parts/missing-approval.tsx';
import { PageHead, Section } from '../parts/section.tsx';
import { ServerText } from '../parts/said.tsx';
import { Text } from '../parts/text.tsx';
import { Deadline, Time } from '../parts/time.tsx';
import { linkTo } from '../route.ts';
import { useReader, useTexts } from '../shell/reader.tsx';
import { useMay, useSigned } from '../shell/session.tsx';

type InboxEntry = ItemOf<'readInbox'>;

const EVERY_MS = 15_000;

/** Everything that waits for a person: first what waits for the reader. */
export function InboxPage() {
  const t = useTexts();
  const { session } = useSigned();
  const mayOperate = useMay('operate');
  const { value, error } = useAnswer((signal) => callList('readInbox', {}, signal), {
    key: 'inbox',
    everyMs: EVERY_MS,
  });
  const all = value?.items ?? [];
  const isMine = ({ waitsFor }: InboxEntry): boolean =>
    waitsFor.length === 0
      ? mayOperate
      : waitsFor.some((name) => plainName(name) === plainName(session.person));
  return (
    <>
      <PageHead title={t.inbox.title} name={t.inbox.title} about={t.inbox.about} />
      <PasskeyAdvice />
      <Loading error={error} isEmpty={value === null} />
      {value === null ? null : (
        <>
          <Items isMine title={t.inbox.mine} none={t.inbox.noneMine} items={all.filter(isMine)} />
          <Items
            title={t.inbox.others}
            none={t.inbox.noneOthers}
            items={all.filter((item) => !isMine(item))}
          />
        </>
      )}
    </>
  );
}

type ItemsProps = Readonly<{
  title: string;
  none: string;
  items: readonly InboxEntry[];
  isMine?: boolean;
}>;

const Items = ({ title, none, items, isMine = false }: ItemsProps) => (
  <Section title={`${title} (${items.length})`}>
    {items.length === 0 ? (
      <p class="empty">{none}</p>
    ) : (
      <ul class="cards flat">
        {items.map((item) => (
          <Item
            key={`${item.kind} ${item.batchId} ${item.run ?? ''}`}
            item={item}
            isMine={isMine}
          />
        ))}
      </ul>
    )}
  </Section>
);

/** A reader can look at a plan that others must approve. */
function Item({ item, isMine }: Readonly<{ item: InboxEntry; isMine: boolean }>) {
  const t = useTexts();
  const { kind, batchId, since, due, submittedBy, totals, waitsFor } = item;
  const { what, act: ownAct } = t.inbox.kinds[kind];
  const act = kind === 'APPROVAL' && !isMine ? t.inbox.look : ownAct;
  return (
    <li class="inbox-item">
      <div class="inbox-what">
        <h3>
          {what} <Text>{batchId}</Text>
        </h3>
        {totals.length === 0 ? null : <MoneyList totals={totals} />}
        <Needs {...item} />
        <p class="fine">
          {t.inbox.submittedBy} <Text>{submittedBy}</Text>
          {since === null ? null : (
            <>
              {' · '}
              {t.inbox.since} <Time value={since} />
            </>
          )}
          {waitsFor.length === 0 ? null : (
            <>
              {' · '}
              {t.inbox.waitsFor} <Text>{waitsFor.join(', ')}</Text>
            </>
          )}
        </p>
        {due === null ? null : (
          <p>
            {t.inbox.due} <Deadline value={due} />
          </p>
        )}
      </div>
      {isPage(kind) ? (
        <a
          class={isMine ? 'button first' : 'button'}
          href={placeOf(item)}
          aria-label={`${act} ${batchId}`}
        >
          {act}
        </a>
      ) : null}
    </li>
  );
}

/** The missing steps. Where the title of its kind says the same, other languages leave the words of the server out. */
function Needs({ kind, missing, gaps, hold }: InboxEntry) {
  const { language, texts: t } = useReader();
  const isTold = language !== 'en' && KINDS_TOLD.includes(kind);
  const others = missing.slice(gaps.length + (hold === undefined ? 0 : 1));
  return (
    <>
      {hold === undefined ? null : (
        <p>
          {t.holds.kinds[hold.kind]}
          {language === 'en' || hold.kind === 'PAUSE' ? (
            <>
              {': '}
              <Text>{hold.reason}</Text>
            </>
          ) : null}
        </p>
      )}
      <MissingApprovals gaps={gaps} />
      {(isTold ? [] : others).map((sentence) => (
        <p key={sentence}>
          <ServerText>{sentence}</ServerText>
        </p>
      ))}
    </>
  );
}

/** Kinds whose title names the missing step. */
const KINDS_TOLD: readonly InboxEntry['kind'][] = ['OPERATOR', 'FUNDS', 'CONFIRMATION', 'LOST'];

/** A run that never began has no page: it is submitted with the command line. */
const isPage = (kind: InboxEntry['kind']): boolean => kind !== 'RUN';

function placeOf({ kind, batchId }: InboxEntry): string {
  if (kind === 'APPROVAL') return linkTo(['batches', batchId, 'approve']);
  return kind === 'FUNDS' ? linkTo(['funds']) : linkTo(['batches', batchId]);
}
