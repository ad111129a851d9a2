import { useState } from 'preact/hooks';
import { callList } from '../api/call.ts';
import type { ItemOf } from '../api/results.ts';
import { useAnswer } from '../api/use-answer.ts';
import { StateBadge } from '../parts/badge.tsx';
import { DataTable, type WebColumn } from '../parts/data-table.tsx';
import { Loading } from '../parts/error-note.tsx';
import { Field } from '../parts/field.tsx';
import { FindBox } from '../parts/find-box.tsx';
import { MoneyList } from '../parts/money.tsx';
import { PageHead } from '../parts/section.tsx';
import { Text, TextOrNone } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { linkTo, openLink } from '../route.ts';
import { useTexts } from '../shell/reader.tsx';
import { useMay } from '../shell/session.tsx';
import { STATE_GROUPS, type StateGroup, statesOf } from '../words/states.ts';
import { countText } from '../words/amounts.ts';

type BatchLine = ItemOf<'listBatches'>;

const STEP = 50;
const EVERY_MS = 10_000;

/** The batches, the newest first. */
export function BatchesPage({ query }: { query: URLSearchParams }) {
  const t = useTexts();
  const maySubmit = useMay('submit');
  const [limit, setLimit] = useState(STEP);
  const chosen = query.get('state') ?? '';
  const states = statesOf(chosen);
  const which = states === undefined ? { limit } : { states: [...states], limit };
  const { value, error } = useAnswer((signal) => callList('listBatches', which, signal), {
    key: `batches ${chosen} ${limit}`,
    everyMs: EVERY_MS,
  });
  const columns = useColumns();
  return (
    <>
      <PageHead
        title={t.batches.title}
        name={t.batches.title}
        actions={
          maySubmit ? (
            <a class="button first" href={linkTo(['new'])}>
              {t.pages.new}
            </a>
          ) : undefined
        }
      />
      <div class="filters">
        <StateFilter chosen={chosen} />
        <FindBox />
      </div>
      <Loading error={error} isEmpty={value === null} />
      {value === null ? null : (
        <>
          <DataTable
            caption={t.batches.title}
            columns={columns}
            rows={value.items}
            keyOf={({ batchId }) => batchId}
            empty={chosen === '' ? t.batches.noneYet : t.batches.none}
          />
          {value.items.length < limit ? null : (
            <p class="more">
              <button type="button" onClick={() => setLimit(limit + STEP)}>
                {t.shell.more}
              </button>
            </p>
          )}
        </>
      )}
    </>
  );
}

function StateFilter({ chosen }: { chosen: string }) {
  const t = useTexts();
  const groups = Object.keys(STATE_GROUPS) as readonly StateGroup[];
  return (
    <Field label={t.batches.state}>
      <select
        value={chosen}
        onChange={(event) => openLink(linkTo(['batches'], { state: event.currentTarget.value }))}
      >
        <option value="">{t.batches.all}</option>
        {groups.map((group) => (
          <optgroup key={group} label={t.batches.groups[group]}>
            <option value={group}>{t.batches.allOf(t.batches.groups[group])}</option>
            {STATE_GROUPS[group].map((state) => (
              <option key={state} value={state}>
                {t.states[state]}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </Field>
  );
}

function useColumns(): readonly WebColumn<BatchLine>[] {
  const t = useTexts();
  return [
    {
      label: t.batches.batch,
      show: ({ batchId, file }) => (
        <a class="row-link" href={linkTo(['batches', batchId])} data-row>
          <strong>
            <Text>{batchId}</Text>
          </strong>
          <span class="fine">
            <TextOrNone>{file}</TextOrNone>
          </span>
        </a>
      ),
    },
    { label: t.batches.state, show: ({ state }) => <StateBadge word={state} /> },
    { label: t.batches.total, show: ({ totals }) => <MoneyList totals={totals} />, isNumber: true },
    {
      label: t.batches.people,
      show: ({ rows }) => (rows === null ? '' : countText(rows)),
      isNumber: true,
    },
    {
      label: t.batches.submitted,
      show: ({ submittedAt, submittedBy }) => (
        <span class="two">
          <Time value={submittedAt} />
          <span class="fine">
            <TextOrNone>{submittedBy}</TextOrNone>
          </span>
        </span>
      ),
    },
  ];
}
