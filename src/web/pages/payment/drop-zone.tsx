import { useState } from 'preact/hooks';
import { Text } from '../../parts/text.tsx';
import { useTexts } from '../../shell/reader.tsx';

type DropZoneProps = Readonly<{
  onFile(file: File): void;
  isBusy: boolean;
  fileName: string | null;
}>;

/** Takes a file that is dropped on it, or chosen. */
export function DropZone({ onFile, isBusy, fileName }: DropZoneProps) {
  const t = useTexts();
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null | undefined): void => {
    const file = files?.[0];
    if (file !== undefined && !isBusy) onFile(file);
  };
  return (
    <div
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files);
      }}
    >
      <p>
        {fileName === null ? t.payment.drop : <Text>{fileName}</Text>}
        {isBusy ? <span role="status"> {t.payment.reading}</span> : null}
      </p>
      <label class="button" aria-disabled={isBusy}>
        {fileName === null ? t.payment.choose : t.payment.chooseOther}
        <input
          type="file"
          class="unseen"
          accept=".csv,.csv.gz,.gz,.xlsx"
          onChange={(event) => {
            take(event.currentTarget.files);
            // The same file may be chosen again, after it was corrected.
            event.currentTarget.value = '';
          }}
        />
      </label>
      <p class="fine">{t.payment.forms}</p>
      <p class="fine">
        {t.payment.examples}{' '}
        <a href="/example.xlsx" download>
          {t.payment.exampleWorkbook}
        </a>
        {', '}
        <a href="/example.csv" download>
          {t.payment.exampleCsv}
        </a>
      </p>
    </div>
  );
}
