import type { FileForm } from '../../../domain/rows/file-form.ts';
import type { WebRefusedRow } from '../../api/results.ts';
import { useAction } from '../../api/use-action.ts';
import { DataTable, type WebColumn } from '../../parts/data-table.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { Section } from '../../parts/section.tsx';
import { Said } from '../../parts/said.tsx';
import { Text, TextOrNone } from '../../parts/text.tsx';
import { COLUMNS } from '../../../domain/rows/row.ts';
import { useTexts } from '../../shell/reader.tsx';
import { countText } from '../../words/amounts.ts';
import type { Texts } from '../../texts/en.ts';
import { type PageNote, pageNote } from '../../words/page-note.ts';
import { cellOf, errorsByLine, type FileLine, sheetRows } from '../../words/sheet.ts';
import { type ChosenFile, correctableOf, type PlannedPayment } from './payment.ts';

/** Rows with errors that the page shows. The file to download has all. */
const SHOWN_MAX = 100;

/** Problems that stand elsewhere on the page: wrong rows in their table, and findings where they are confirmed. */
const SAID_ELSEWHERE: ReadonlySet<string> = new Set(['FILE_ROWS_REFUSED', 'FINDINGS_NOT_ACCEPTED']);

type RefusedRowsProps = Readonly<{ file: ChosenFile; planned: PlannedPayment }>;

/** The rows that the file is refused for, as a sheet with the wrong cells marked, and the problems of the whole file. */
export function RefusedRows({ file, planned: { plan, choices } }: RefusedRowsProps) {
  const t = useTexts();
  const download = useAction();
  const { refused, rows } = plan;
  const problems = plan.problems.filter(({ code }) => !SAID_ELSEWHERE.has(code));
  if (problems.length === 0 && refused.length === 0) return null;
  const sheet = file.text === null ? null : sheetRows(file.text);
  const cells = refused.map((cell) => ({ ...cell, note: pageNote(cell, t) }));
  return (
    <Section
      title={t.payment.problems}
      actions={
        refused.length === 0 ? undefined : (
          <button
            type="button"
            class="first"
            aria-disabled={download.isRunning}
            onClick={() =>
              void download.run(async () => {
                const correctable = await correctableOf(file, choices);
                saveFile(file.name.replace(/(?:\.\w{1,4}){0,2}$/, '-errors.csv'), correctable);
                return t.payment.downloaded;
              })
            }
          >
            {t.payment.download}
          </button>
        )
      }
    >
      <ErrorNote what={t.payment.notDownloaded} error={download.error} />
      {refused.length === 0 ? null : (
        <>
          <p class="below">{t.payment.refused(countText(rows.refused), countText(rows.total))}</p>
          {sheet === null ? (
            <RefusedCells refused={cells} columns={choices.form.columns} />
          ) : (
            <Sheet rows={sheet} refused={cells} columns={choices.form.columns} />
          )}
        </>
      )}
      {problems.map((problem) => {
        const { what, detail, fix } = pageNote(problem, t);
        return (
          <div key={problem.code} class="note bad below">
            <p>
              <strong>
                <Said>{what}</Said>
              </strong>
            </p>
            {detail === null ? null : (
              <p>
                <Said>{detail}</Said>
              </p>
            )}
            <p>
              <Said>{fix}</Said>
            </p>
          </div>
        );
      })}
    </Section>
  );
}

type Refused = readonly (WebRefusedRow & Readonly<{ note: PageNote }>)[];

/** A column has its name in the file, where the page has it. An error of the whole row has none. */
function columnWord(column: string, columns: FileForm['columns'], t: Texts): string {
  if (column === 'row') return t.rows.row;
  const role = COLUMNS.find((one) => one === column);
  return (role === undefined ? undefined : columns[role]) ?? column;
}

type SheetProps = Readonly<{
  rows: readonly FileLine[];
  refused: Refused;
  columns: FileForm['columns'];
}>;

/** The rows with errors below the head of the file. Each error stands under its row. */
function Sheet({ rows, refused, columns }: SheetProps) {
  const t = useTexts();
  const errors = errorsByLine(refused);
  const head = rows[0]?.cells ?? [];
  const wrong = rows.slice(1).filter(({ line }) => errors.has(line));
  return (
    <>
      <div class="table-frame sheet" role="region" tabIndex={0} aria-label={t.payment.problems}>
        <table>
          <caption class="unseen">{t.payment.problems}</caption>
          <thead>
            <tr>
              <th scope="col">{t.rows.row}</th>
              {head.map((name, at) => (
                <th key={at} scope="col">
                  <Text>{name}</Text>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {wrong.slice(0, SHOWN_MAX).map(({ line, cells }) => {
              const own = errors.get(line) ?? [];
              const marked = new Set(own.map(({ column }) => cellOf(head, column, columns)));
              return [
                <tr key={line}>
                  <th scope="row">{line}</th>
                  {head.map((_, at) => (
                    <td
                      key={at}
                      class={marked.has(at) ? 'wrong-cell' : undefined}
                      data-label={head[at]}
                    >
                      <Text>{cells[at] ?? ''}</Text>
                      {marked.has(at) ? <span class="unseen"> {t.payment.wrongCell}</span> : null}
                    </td>
                  ))}
                </tr>,
                <tr key={`${line} errors`} class="row-errors">
                  <td />
                  <td colSpan={Math.max(1, head.length)}>
                    {own.map(({ column, note: { what, fix } }) => (
                      <p key={`${column} ${what.text}`}>
                        <strong>
                          <Text>
                            {head[cellOf(head, column, columns)] ?? columnWord(column, columns, t)}
                          </Text>
                        </strong>{' '}
                        <Said>{what}</Said> <Said>{fix}</Said>
                      </p>
                    ))}
                  </td>
                </tr>,
              ];
            })}
          </tbody>
        </table>
      </div>
      {wrong.length > SHOWN_MAX ? (
        <p class="fine below">{t.payment.moreErrors(countText(wrong.length - SHOWN_MAX))}</p>
      ) : null}
    </>
  );
}

type RefusedCellsProps = Readonly<{ refused: Refused; columns: FileForm['columns'] }>;

/** The errors of a file whose text the page does not have, such as a workbook. */
function RefusedCells({ refused, columns: stated }: RefusedCellsProps) {
  const t = useTexts();
  const columns: readonly WebColumn<Refused[number]>[] = [
    { label: t.rows.row, isLabelInName: true, show: ({ row }) => row },
    { label: t.payment.column, show: ({ column }) => <Text>{columnWord(column, stated, t)}</Text> },
    { label: t.payment.value, show: ({ value }) => <TextOrNone>{value}</TextOrNone> },
    { label: t.payment.wrong, show: ({ note }) => <Said>{note.what}</Said> },
    { label: t.payment.remedy, show: ({ note }) => <Said>{note.fix}</Said> },
  ];
  return (
    <>
      <DataTable
        caption={t.payment.problems}
        columns={columns}
        rows={refused.slice(0, SHOWN_MAX)}
        keyOf={({ row, column, code, what }) => `${row} ${column} ${code} ${what}`}
        empty={null}
      />
      {refused.length > SHOWN_MAX ? (
        <p class="fine below">{t.payment.moreErrors(countText(refused.length - SHOWN_MAX))}</p>
      ) : null}
    </>
  );
}
