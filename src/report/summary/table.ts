import { type Html, html, NOTHING } from './html.ts';

/**
 * The style of a column. Amounts and counts are right-aligned. Words and codes do not wrap.
 * Phrases wrap between words only. Ids have a fixed-width font.
 */
export type ColumnKind = 'text' | 'phrase' | 'word' | 'code' | 'id' | 'amount' | 'count';

export type SummaryColumn<Item> = Readonly<{
  title: string;
  kind: ColumnKind;
  cell(item: Item): Html | string;
}>;

export type SummaryTable<Item> = Readonly<{
  /** The text for screen readers. */
  caption: string;
  columns: readonly SummaryColumn<Item>[];
  items: readonly Item[];
}>;

/** Shows a table. The first cell heads its row. On a narrow screen each row becomes a card. */
export const table = <Item>({ caption, columns, items }: SummaryTable<Item>): Html => html`<table>
<caption>${caption}</caption>
<thead><tr>${columns.map(heading)}</tr></thead>
<tbody>
${items.map((item) => row(columns, item))}</tbody>
</table>
`;

const heading = ({ title, kind }: Readonly<{ title: string; kind: ColumnKind }>): Html =>
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

/** The note below a shortened table. It links to the file with all lines. */
export const shortened = (shown: string, total: string, file: string): Html =>
  html`<p class="note">The first ${shown} of ${total};
<a href="${file}">${file}</a> has all.</p>
`;

/** Shows a section, or nothing when its content is empty. */
export const section = (title: string, ...content: readonly Html[]): Html =>
  content.every(({ markup }) => markup === '')
    ? NOTHING
    : html`<section><h2>${title}</h2>
${content}</section>
`;
