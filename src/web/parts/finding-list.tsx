import type { WebFinding } from '../api/results.ts';
import { useReader, useTexts } from '../shell/reader.tsx';
import { countText } from '../words/amounts.ts';
import { linkTo } from '../route.ts';
import { pageNote } from '../words/page-note.ts';
import { Badge } from './badge.tsx';
import { Section } from './section.tsx';
import { Said, ServerText } from './said.tsx';
import { Code, Text } from './text.tsx';
import { Time } from './time.tsx';

type FindingListProps = Readonly<{
  findings: readonly WebFinding[];
  /** Accepts one finding, or takes that back; left out: findings are only shown. */
  onAccept?(code: WebFinding['code'], isAccepted: boolean): void;
}>;

const TONES = { block: 'bad', confirm: 'wait', info: 'info' } as const;
const ORDER = ['block', 'confirm', 'info'] as const;

/** A changed address comes before everything else: most money is lost by it. */
const placeOf = ({ code, severity }: WebFinding): number =>
  code === 'ADDRESS_CHANGED' ? -1 : ORDER.indexOf(severity);

/** The findings of a file, those that stop it first. */
export function FindingList({ findings, onAccept }: FindingListProps) {
  const t = useTexts();
  if (findings.length === 0) return null;
  const sorted = [...findings].sort((a, b) => placeOf(a) - placeOf(b));
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
  const isForeign =
    language !== 'en' &&
    examples.some(
      ({ detail, change, earlier }) =>
        detail !== '' && change === undefined && earlier?.endState === undefined,
    );
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
      <details open={code === 'ADDRESS_CHANGED'}>
        <summary>{t.findings.rows(countText(count), count)}</summary>
        {isForeign ? <p class="fine">{t.shell.inEnglish}</p> : null}
        <ul class="examples">
          {examples.map(({ row, detail, change, earlier }) => (
            <li key={`${row} ${detail}`}>
              {row === 0 ? t.findings.wholeFile : t.findings.row(row)}{' '}
              {change !== undefined ? (
                <ChangedAddress change={change} />
              ) : earlier?.endState !== undefined ? null : (
                <ServerText isInList>{detail}</ServerText>
              )}
              {earlier === undefined ? null : <EarlierBatch {...earlier} />}
            </li>
          ))}
          {count > examples.length && examples.some(({ row }) => row > 0) ? (
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

type EarlierBatchProps = NonNullable<WebFinding['examples'][number]['earlier']>;

/** The earlier batch as a link, with its state where the server knows it. */
function EarlierBatch({ batchId, endState }: EarlierBatchProps) {
  const t = useTexts();
  return (
    <>
      {' '}
      <a href={linkTo(['batches', batchId])}>
        {t.findings.earlier} <Text>{batchId}</Text>
      </a>
      {endState === undefined
        ? null
        : ` (${endState === null ? t.findings.notEnded : t.states[endState]})`}
    </>
  );
}

type Change = NonNullable<WebFinding['examples'][number]['change']>;

/** The address before and the address of the row, one below the other, so that people compare them. */
function ChangedAddress({ change }: Readonly<{ change: Change }>) {
  const t = useTexts();
  const { payee, payment, address, before, batchId, paidAt } = change;
  return (
    <>
      <Text>{payee}</Text>, <Text>{payment}</Text>
      <dl class="change">
        <dt>{t.findings.before}</dt>
        <dd>
          <Code>{before}</Code>{' '}
          <span class="fine">
            {batchId === null || paidAt === null ? (
              t.findings.inRegister
            ) : (
              <>
                <Text>{t.findings.lastPaid(batchId)}</Text> <Time value={paidAt} />
              </>
            )}
          </span>
        </dd>
        <dt>{t.findings.now}</dt>
        <dd>
          <Code>{address}</Code>
        </dd>
      </dl>
    </>
  );
}
