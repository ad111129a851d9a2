import { type Html, html, NOTHING } from './html.ts';

/**
 * How a column looks: amounts and counts stand right, words and codes are not broken, phrases
 * break between words alone, ids have a fixed-width face.
 */
export type ColumnKind = 'text' | 'phrase' | 'word' | 'code' | 'id' | 'amount' | 'count';

export type SummaryColumn<Item> = Readonly<{
  title: string;
  kind: ColumnKind;
  cell(item: Item): Html | string;
}>;

export type Table<Item> = Readonly<{
  /** Says what the table holds, for those who cannot see it. */
  caption: string;
  columns: readonly SummaryColumn<Item>[];
  items: readonly Item[];
}>;

/**
 * A table; the first column heads its row. On a narrow screen each row becomes a card with named
 * values.
 */
export const table = <Item>({ caption, columns, items }: Table<Item>): Html => html`<table>
<caption>${caption}</caption>
<thead><tr>${columns.map(heading)}</tr></thead>
<tbody>
${items.map((item) => row(columns, item))}</tbody>
</table>
`;

const heading = ({ title, kind }: Pick<SummaryColumn<never>, 'title' | 'kind'>): Html =>
  html`<th scope="col" class="${kind}">${title}</th>`;

const row = <Item>(columns: readonly SummaryColumn<Item>[], item: Item): Html =>
  html`<tr>${columns.map((column, i) => cell(column, item, i === 0))}</tr>
`;

function cell<Item>(
  { title, kind, cell: contentOf }: SummaryColumn<Item>,
  item: Item,
  first: boolean,
): Html {
  const content = contentOf(item);
  if (first) return html`<th scope="row" class="${kind}" data-title="${title}">${content}</th>`;
  const empty = content === '' ? ' empty' : '';
  return html`<td class="${kind}${empty}" data-title="${title}">${content}</td>`;
}

/** Says under a shortened table where the rest stands. */
export const shortened = (shown: string, total: string, file: string): Html =>
  html`<p class="note">The first ${shown} of ${total};
all stand in <a href="${file}">${file}</a>.</p>
`;

export const section = (title: string, ...content: readonly Html[]): Html =>
  content.every(({ markup }) => markup === '')
    ? NOTHING
    : html`<section><h2>${title}</h2>
${content}</section>
`;
