import { useState } from 'preact/hooks';
import { csvLine } from '../../../domain/files/csv.ts';
import { EXPORT_COLUMNS, exportLine } from '../../../domain/payees/export-line.ts';
import { callList, callOperation } from '../../api/call.ts';
import { useAction } from '../../api/use-action.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { useTexts } from '../../shell/reader.tsx';
import { countText } from '../../words/amounts.ts';
import { sendFile } from '../payment/payment.ts';

/** With this mark, spreadsheets read a file as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A button that downloads the whole register as a file, which an import reads. */
export function ExportPayees() {
  const t = useTexts();
  const action = useAction();
  const download = async (): Promise<string> => {
    const { items } = await callList('listPayees', {});
    const lines = [csvLine(EXPORT_COLUMNS), ...items.map(exportLine)];
    const text = lines.map((line) => `${line}\n`).join('');
    saveFile('payees.csv', new Blob([BYTE_ORDER_MARK, text], { type: 'text/csv' }));
    return t.payees.exported;
  };
  return (
    <>
      <button
        type="button"
        aria-disabled={action.isRunning}
        onClick={() => void action.run(download)}
      >
        {t.payees.export}
      </button>
      <ErrorNote what={t.payees.notExported} error={action.error} />
    </>
  );
}

/** Takes a file of payees, and shows the result until another file is chosen. */
export function ImportPayees({ onImported }: Readonly<{ onImported(): void }>) {
  const t = useTexts();
  const action = useAction();
  const [result, setResult] = useState<string | null>(null);
  const send = async (file: File): Promise<string> => {
    setResult(null);
    const { sha256, name } = await sendFile(file);
    const done = await callOperation('importPayees', { file: { sha256, name } });
    const { rows, changed, stillDenied } = done;
    const text = [
      t.payees.imported(countText(rows), countText(changed)),
      ...(stillDenied === 0 ? [] : [t.payees.stillDenied(countText(stillDenied))]),
    ].join(' ');
    setResult(text);
    onImported();
    return text;
  };
  return (
    <>
      <label class="button" aria-disabled={action.isRunning}>
        {t.payment.choose}
        <input
          type="file"
          class="unseen"
          accept=".csv"
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            if (file !== undefined) void action.run(() => send(file));
            // The same file may be chosen again, after it was corrected.
            currentTarget.value = '';
          }}
        />
      </label>
      {result === null ? null : <p class="note good">{result}</p>}
      <ErrorNote what={t.payees.notImported} error={action.error} />
    </>
  );
}
