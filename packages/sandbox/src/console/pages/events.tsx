import type { AdminEvent } from '@bursar/sandbox/admin';
import { useState } from 'preact/hooks';
import { useAnswer } from '../api/use-answer.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { More, useLength } from '../parts/pages.tsx';
import { PrettyJson } from '../parts/pretty-json.tsx';
import { PageHead, Section } from '../parts/section.tsx';
import { Word } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { Trigger } from './trigger.tsx';

/** Events as they happen, and a form to trigger one. */
export function EventsPage() {
  const { length, more } = useLength();
  const [isPaused, setPaused] = useState(false);
  const { value, error } = useAnswer('GET /events', {
    query: { order: 'newest', limit: length },
    isPaused,
  });
  return (
    <>
      <PageHead
        title="Events"
        name="Events"
        about="Every event since the sandbox started, with or without subscriptions."
      />
      <Trigger />
      <Section
        title="Feed"
        actions={
          <button type="button" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
            {isPaused ? 'Go on' : 'Pause'}
          </button>
        }
      >
        <ErrorNote what="The events cannot be read." error={error} />
        {value?.events.length === 0 ? <p class="empty">No events yet.</p> : null}
        <ul class="cards flat">
          {value?.events.map((event) => (
            <li key={event.n}>
              <EventLine event={event} />
            </li>
          ))}
        </ul>
        {value === null ? null : <More next={value.next} shown={length} onMore={more} />}
      </Section>
    </>
  );
}

function EventLine({ event: { time, type, account, data } }: { event: AdminEvent }) {
  const { state } = data;
  return (
    <details class="line">
      <summary data-row>
        <strong>
          <Word>{type}</Word>
        </strong>
        <span class="fine">{typeof state === 'string' ? state : ''}</span>
        <Time value={time} />
      </summary>
      <div class="line-body">
        <p class="fine">
          Account <bdi class="code">{account}</bdi>
        </p>
        <PrettyJson text={JSON.stringify(data)} label={`Data of ${type}`} />
      </div>
    </details>
  );
}
