import type { ComponentChildren } from 'preact';

export type WebColumn<Row> = Readonly<{
  label: string;
  show(row: Row): ComponentChildren;
  /** Aligned at the right. */
  isNumber?: boolean;
  /** The label is only for screen readers and narrow screens. */
  isLabelHidden?: boolean;
  /** On a narrow screen the label stands before the name of the row. */
  isLabelInName?: boolean;
}>;

type DataTableProps<Row> = Readonly<{
  caption: string;
  columns: readonly WebColumn<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string | number;
  /** Shown when there are no rows. */
  empty: ComponentChildren;
}>;

/**
 * A table whose first column names its rows. On a narrow screen each row becomes a card. The roles
 * are explicit because some browsers drop them then.
 */
export function DataTable<Row>({ caption, columns, rows, keyOf, empty }: DataTableProps<Row>) {
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  const [first, ...others] = columns;
  return (
    <div class="table-frame">
      <table role="table">
        <caption class="unseen">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column.label} role="columnheader" scope="col" class={classOf(column)}>
                <span class={column.isLabelHidden ? 'unseen' : undefined}>{column.label}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              <th
                role="rowheader"
                scope="row"
                class={first && classOf(first)}
                data-label={first?.isLabelInName ? first.label : undefined}
              >
                {first?.show(row)}
              </th>
              {others.map((column) => (
                <td
                  key={column.label}
                  role="cell"
                  class={classOf(column)}
                  data-label={column.isLabelHidden ? undefined : column.label}
                >
                  {column.show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const classOf = <Row,>({ isNumber }: WebColumn<Row>): string | undefined =>
  isNumber ? 'number' : undefined;
