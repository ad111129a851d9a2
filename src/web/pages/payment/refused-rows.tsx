import type { WebPlan } from '../../api/results.ts';
import { Section } from '../../parts/section.tsx';
import { Text } from '../../parts/text.tsx';
import { useTexts } from '../../shell/reader.tsx';
import { countText } from '../../words/amounts.ts';
import {
  cellOf,
  errorsByLine,
  type FileLine,
  fileWithErrors,
  sheetRows,
} from '../../words/sheet.ts';
import type { ChosenFile } from './payment.ts';

/** Rows with errors that the page shows. The file to download has all. */
const SHOWN_MAX = 100;

type RefusedRowsProps = Readonly<{ file: ChosenFile; plan: WebPlan }>;

/** The rows that the file is refused for, as a sheet with the wrong cells marked, and the problems of the whole file. */
export function RefusedRows({ file, plan: { problems, refused, rows } }: RefusedRowsProps) {
  const t = useTexts();
  if (problems.length === 0 && refused.length === 0) return null;
  const sheet = file.text === null ? null : sheetRows(file.text);
  return (
    <Section
      title={t.payment.problems}
      actions={
        sheet === null || refused.length === 0 ? undefined : (
          <button type="button" class="first" onClick={() => download(file.name, sheet, refused)}>
            {t.payment.download}
          </button>
        )
      }
    >
      {problems.map(({ code, what, fix }) => (
        <div key={code} class="note bad">
          <p>
            <strong>
              <Text>{what}</Text>
            </strong>
          </p>
          <p>
            <Text>{fix}</Text>
          </p>
        </div>
      ))}
      {refused.length === 0 ? null : (
        <>
          <p class="below">{t.payment.refused(countText(rows.refused), countText(rows.total))}</p>
          {sheet === null ? (
            <ErrorList refused={refused} />
          ) : (
            <Sheet rows={sheet} refused={refused} />
          )}
        </>
      )}
    </Section>
  );
}

type Refused = WebPlan['refused'];

/** The rows with errors below the head of the file. Each error stands under its row. */
function Sheet({ rows, refused }: { rows: readonly FileLine[]; refused: Refused }) {
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
              const marked = new Set(own.map(({ column }) => cellOf(head, column)));
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
                    {own.map(({ column, what, fix }) => (
                      <p key={`${column} ${what}`}>
                        <strong>{column}</strong> <Text>{`${what} ${fix}`}</Text>
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

/** The errors of a file that the page cannot show as a sheet. */
function ErrorList({ refused }: { refused: Refused }) {
  const t = useTexts();
  return (
    <ul class="examples">
      {refused.slice(0, SHOWN_MAX).map(({ row, column, what, fix }) => (
        <li key={`${row} ${column} ${what}`}>
          {t.findings.row(row)} <strong>{column}</strong> <Text>{`${what} ${fix}`}</Text>
        </li>
      ))}
    </ul>
  );
}

/** Gives the person the rows of the file with a column of their errors. Nothing leaves the browser. */
function download(name: string, rows: readonly FileLine[], refused: Refused): void {
  const url = URL.createObjectURL(
    new Blob([fileWithErrors(rows, refused)], { type: 'text/csv;charset=utf-8' }),
  );
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replace(/(?:\.\w{1,4})?$/, '-errors.csv');
  link.click();
  URL.revokeObjectURL(url);
}
