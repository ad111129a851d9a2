import type { WebFinding } from '../api/results.ts';
import { useReader, useTexts } from '../shell/reader.tsx';
import { countText } from '../words/amounts.ts';
import { pageNote } from '../words/page-note.ts';
import { Badge } from './badge.tsx';
import { Section } from './section.tsx';
import { Said, ServerText } from './said.tsx';

type FindingListProps = Readonly<{
  findings: readonly WebFinding[];
  /** Accepts one finding, or takes that back; left out: findings are only shown. */
  onAccept?(code: WebFinding['code'], isAccepted: boolean): void;
}>;

const TONES = { block: 'bad', confirm: 'wait', info: 'info' } as const;
const ORDER = ['block', 'confirm', 'info'] as const;

/** The findings of a file, those that stop it first. */
export function FindingList({ findings, onAccept }: FindingListProps) {
  const t = useTexts();
  if (findings.length === 0) return null;
  const sorted = [...findings].sort(
    (a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity),
  );
  return (
    <Section title={t.findings.title}>
      <ul class="findings">
        {sorted.map((finding) => (
          <FindingCard
            key={finding.code}
            finding={finding}
            {...(onAccept === undefined ? {} : { onAccept })}
          />
        ))}
      </ul>
    </Section>
  );
}

type FindingCardProps = Readonly<{ finding: WebFinding }> & Partial<FindingListProps>;

function FindingCard({ finding, onAccept }: FindingCardProps) {
  const { language, texts: t } = useReader();
  const { code, severity, accepted, count, examples } = finding;
  // A later server may have findings without a text here.
  const known: readonly [string, string] | undefined = t.findings.texts[code];
  const note = pageNote(finding, t);
  const isForeign = language !== 'en' && examples.some(({ detail }) => detail !== '');
  return (
    <li>
      <p>
        <Badge tone={TONES[severity]}>{t.findings.severities[severity]}</Badge>{' '}
        <strong>{known === undefined ? <Said>{note.what}</Said> : known[0]}</strong>
      </p>
      <p>
        {known?.[1] ?? (
          <>
            <Said>{note.why}</Said> <Said>{note.fix}</Said>
          </>
        )}
      </p>
      <details>
        <summary>{t.findings.rows(countText(count), count)}</summary>
        {isForeign ? <p class="fine">{t.shell.inEnglish}</p> : null}
        <ul class="examples">
          {examples.map(({ row, detail }) => (
            <li key={`${row} ${detail}`}>
              {row === 0 ? t.findings.wholeFile : t.findings.row(row)}{' '}
              <ServerText isInList>{detail}</ServerText>
            </li>
          ))}
          {count > examples.length && examples.length > 0 ? (
            <li>{t.findings.more(countText(count - examples.length))}</li>
          ) : null}
        </ul>
      </details>
      {severity === 'confirm' && onAccept !== undefined ? (
        <label class="choice">
          <input
            type="checkbox"
            checked={accepted}
            onChange={(event) => onAccept(code, event.currentTarget.checked)}
          />
          {t.findings.accept}
        </label>
      ) : null}
      {severity === 'confirm' && onAccept === undefined && accepted ? (
        <p class="fine">{t.findings.accepted}</p>
      ) : null}
    </li>
  );
}
