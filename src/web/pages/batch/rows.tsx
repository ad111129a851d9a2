import { SHOWN_OUTCOMES, type ShownOutcome } from '../../../domain/settling/outcome.ts';
import { callList } from '../../api/call.ts';
import type { WebBatch, WebRow } from '../../api/results.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { StateBadge } from '../../parts/badge.tsx';
import { DataTable, type WebColumn } from '../../parts/data-table.tsx';
import { Loading } from '../../parts/error-note.tsx';
import { Field } from '../../parts/field.tsx';
import { Money } from '../../parts/money.tsx';
import { Section } from '../../parts/section.tsx';
import { ServerText } from '../../parts/said.tsx';
import { Code, TextOrNone } from '../../parts/text.tsx';
import { linkTo, openLink } from '../../route.ts';
import { useTexts } from '../../shell/reader.tsx';
import { countText } from '../../words/amounts.ts';

const PAGE_ROWS = 50;
/** Rows of a batch that is open may change. */
const EVERY_MS = 5_000;

const isOutcome = (text: string): text is ShownOutcome =>
  SHOWN_OUTCOMES.some((outcome) => outcome === text);

type RowsProps = Readonly<{
  batch: WebBatch;
  query: URLSearchParams;
  /** The page that shows them. */
  place?: readonly string[];
}>;

/**
 * The rows of a batch, a page at a time. The address names the page, so that "back" works. While nothing was sent, they have no
 * outcomes.
 */
export function RowsSection({ batch, query, place = ['batches', batch.batchId] }: RowsProps) {
  const t = useTexts();
  const { batchId, isOver, state, rows } = batch;
  const outcome = query.get('outcome') ?? '';
  const after = Number(/^\d{1,9}$/.exec(query.get('after') ?? '')?.[0] ?? 0);
  const outcomes = isOutcome(outcome) ? { outcomes: [outcome] } : {};
  const input = { batchId, after, limit: PAGE_ROWS + 1, ...outcomes };
  const { value, error } = useAnswer((signal) => callList('listRows', input, signal), {
    key: `rows ${batchId} ${outcome} ${after} ${state}`,
    ...(isOver ? {} : { everyMs: EVERY_MS }),
  });
  const shown = value?.items.slice(0, PAGE_ROWS) ?? [];
  const last = shown.at(-1)?.row ?? 0;
  const hasMore = (value?.items.length ?? 0) > PAGE_ROWS;
  const isUnsent = !isOver && rows.notSentYet === rows.total;
  const columns = useColumns(batchId).filter(({ label }) => !isUnsent || label !== t.rows.outcome);
  return (
    <Section title={t.rows.title}>
      {isUnsent ? null : <OutcomeFilter place={place} outcome={outcome} />}
      <Loading error={error} isEmpty={value === null} />
      {value === null ? null : (
        <DataTable
          caption={t.rows.title}
          columns={columns}
          rows={shown}
          keyOf={({ row }) => row}
          empty={rows.total === 0 && !isOver ? t.rows.reading : t.rows.none}
        />
      )}
      {value === null || shown.length >= rows.total ? null : (
        <p class="print-only">{t.rows.printed(countText(shown.length), countText(rows.total))}</p>
      )}
      {after === 0 && !hasMore ? null : (
        <nav class="pager" aria-label={t.rows.pages}>
          {after === 0 ? (
            <span />
          ) : (
            <a class="button" href={linkTo(place, { outcome })}>
              {t.rows.first}
            </a>
          )}
          {hasMore ? (
            <a class="button" href={linkTo(place, { outcome, after: last })}>
              {t.rows.next}
            </a>
          ) : null}
        </nav>
      )}
    </Section>
  );
}

type OutcomeFilterProps = Readonly<{ place: readonly string[]; outcome: string }>;

function OutcomeFilter({ place, outcome }: OutcomeFilterProps) {
  const t = useTexts();
  return (
    <div class="filters">
      <Field label={t.rows.outcome}>
        <select
          value={outcome}
          onChange={(event) => openLink(linkTo(place, { outcome: event.currentTarget.value }))}
        >
          <option value="">{t.rows.all}</option>
          {SHOWN_OUTCOMES.map((one) => (
            <option key={one} value={one}>
              {t.states[one]}
            </option>
          ))}
        </select>
      </Field>
    </div>
  );
}

/** The name of a payee, and the reference or comment. */
const whoOf = (...texts: readonly string[]): string =>
  texts.filter((text) => text !== '').join(' · ');

function useColumns(batchId: string): readonly WebColumn<WebRow>[] {
  const t = useTexts();
  return [
    {
      label: t.rows.row,
      isLabelInName: true,
      show: ({ row }) => (
        <a href={linkTo(['batches', batchId, 'rows', row])} data-row>
          {row}
        </a>
      ),
    },
    {
      label: t.rows.payee,
      show: ({ name, reference, comment, address }) => (
        <span class="two">
          <strong>
            <TextOrNone>{whoOf(name, reference === '' ? comment : reference)}</TextOrNone>
          </strong>
          <Code>{address}</Code>
        </span>
      ),
    },
    {
      label: t.rows.amount,
      isNumber: true,
      show: ({ amount, currency }) =>
        amount === '' ? null : <Money amount={amount} currency={currency} />,
    },
    {
      label: t.rows.outcome,
      show: ({ outcome, reason, refused, seenPaid }) => (
        <span class="two">
          <StateBadge word={outcome} />
          {reason === '' ? null : (
            <span class="fine">
              {refused ? t.row.refused : <ServerText isInList>{reason}</ServerText>}
            </span>
          )}
          {seenPaid === true ? <span class="fine">{t.rows.seenPaid}</span> : null}
        </span>
      ),
    },
  ];
}
