import { hasDecimalComma, withPoint } from '../../../domain/rows/decimal-comma.ts';
import type { WebPlan } from '../../api/results.ts';
import { Section } from '../../parts/section.tsx';
import { Code } from '../../parts/text.tsx';
import { useTexts } from '../../shell/reader.tsx';
import { countText } from '../../words/amounts.ts';

/** Amounts that the page shows. */
const SHOWN_MAX = 8;

type DecimalCommaProps = Readonly<{
  /** Cells of the plan in which no comma divides decimals. */
  refused: WebPlan['refused'];
  isChosen: boolean;
  onChoose(isChosen: boolean): void;
}>;

/** Offers to read a comma as the decimal point, where amounts have one, and shows the amounts that follow. */
export function DecimalComma({ refused, isChosen, onChoose }: DecimalCommaProps) {
  const t = useTexts();
  const amounts = refused.filter(
    ({ code, value }) => code === 'AMOUNT_NOT_DECIMAL' && hasDecimalComma(value),
  );
  if (amounts.length === 0) return null;
  return (
    <Section title={t.file.comma} about={t.file.commaAbout}>
      <ul class="examples">
        {amounts.slice(0, SHOWN_MAX).map(({ row, value }) => (
          <li key={row}>
            {t.findings.row(row)} <Code>{value}</Code> {t.file.becomes}{' '}
            <Code>{withPoint(value)}</Code>
          </li>
        ))}
      </ul>
      {amounts.length > SHOWN_MAX ? (
        <p class="fine">{t.file.commaMore(countText(amounts.length - SHOWN_MAX))}</p>
      ) : null}
      <label class="choice below">
        <input
          type="checkbox"
          checked={isChosen}
          onChange={(event) => onChoose(event.currentTarget.checked)}
        />
        {t.file.commaChoice}
      </label>
    </Section>
  );
}
