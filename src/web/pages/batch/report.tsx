import { callOperation } from '../../api/call.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { Loading } from '../../parts/error-note.tsx';
import { Section } from '../../parts/section.tsx';
import { Text } from '../../parts/text.tsx';
import { useTexts } from '../../shell/reader.tsx';

/** The files of the newest report, to be downloaded. */
export function BatchReport({ batchId }: { batchId: string }) {
  const t = useTexts();
  const { value, error } = useAnswer(
    (signal) => callOperation('listReportFiles', { batchId }, signal),
    { key: `report ${batchId}` },
  );
  return (
    <Section
      title={t.report.title}
      about={value === null ? undefined : t.report.about(value.version)}
      actions={
        <button type="button" class="no-print" onClick={() => print()}>
          {t.report.print}
        </button>
      }
    >
      <Loading error={error} isEmpty={value === null} />
      <ul class="downloads">
        {(value?.files ?? []).map(({ name, sha256, workbook }) => (
          <li key={name}>
            <span class="formats">
              <Download batchId={batchId} name={name} />
              {workbook !== null && (
                <Download batchId={batchId} name={workbook} kind={t.report.excel} />
              )}
            </span>
            <span>{t.report.files[name as keyof typeof t.report.files] ?? ''}</span>
            <span class="code fine">sha256 {sha256.slice(0, 12)}…</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

type DownloadProps = { batchId: string; name: string; kind?: string };

/** A link that saves a file. `kind`: shown in place of its name. */
function Download({ batchId, name, kind }: DownloadProps) {
  return (
    <a
      class="button"
      download={`${batchId}-${name}`}
      aria-label={kind === undefined ? undefined : `${kind}: ${name}`}
      href={`/v1/batches/${encodeURIComponent(batchId)}/report/${encodeURIComponent(name)}`}
    >
      {kind ?? <Text>{name}</Text>}
    </a>
  );
}
