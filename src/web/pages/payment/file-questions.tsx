import { useState } from 'preact/hooks';
import type { FileQuestion } from '../../../domain/errors/file-question.ts';
import { Field } from '../../parts/field.tsx';
import { Section } from '../../parts/section.tsx';
import { Text } from '../../parts/text.tsx';
import { useTexts } from '../../shell/reader.tsx';
import { COLUMNS } from '../../../domain/rows/row.ts';
import type { FileForm } from '../../../domain/rows/file-form.ts';
import {
  type ColumnUse,
  firstUses,
  formWithUses,
  isColumnUse,
  usedTwice,
} from '../../words/column-uses.ts';

type FileQuestionsProps = Readonly<{
  asks: FileQuestion;
  form: FileForm;
  isBusy: boolean;
  onAnswer(form: FileForm): void;
}>;

/** Asks for facts that the file alone does not show: one of its sheets, or the meaning of its columns. */
export function FileQuestions({
  asks: { columns = [], sheets = [] },
  ...rest
}: FileQuestionsProps) {
  if (sheets.length > 0) return <SheetQuestion sheets={sheets} {...rest} />;
  return columns.length === 0 ? null : <ColumnsQuestion columns={columns} {...rest} />;
}

type Answering = Readonly<{ form: FileForm; isBusy: boolean; onAnswer(form: FileForm): void }>;

function SheetQuestion({
  sheets,
  form,
  isBusy,
  onAnswer,
}: Answering & Readonly<{ sheets: readonly string[] }>) {
  const t = useTexts();
  const [sheet, setSheet] = useState<string | null>(null);
  return (
    <Section title={t.file.sheets}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (sheet !== null && !isBusy) onAnswer({ ...form, sheet });
        }}
      >
        <fieldset>
          <legend class="unseen">{t.file.sheets}</legend>
          {sheets.map((name) => (
            <label key={name} class="choice">
              <input
                type="radio"
                name="sheet"
                required
                checked={name === sheet}
                onChange={() => setSheet(name)}
              />
              <Text>{name}</Text>
            </label>
          ))}
        </fieldset>
        <ReadButton isBusy={isBusy} />
      </form>
    </Section>
  );
}

type Columns = NonNullable<FileQuestion['columns']>;

/** A suggestion is chosen at first and named as one. The person confirms all of them by a tick. */
function ColumnsQuestion({
  columns,
  form,
  isBusy,
  onAnswer,
}: Answering & Readonly<{ columns: Columns }>) {
  const t = useTexts();
  const [uses, setUses] = useState(() => firstUses(columns));
  const twice = usedTwice(uses, form);
  return (
    <Section title={t.file.columns} about={t.file.columnsAbout}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (twice.size === 0 && !isBusy) onAnswer(formWithUses(form, uses));
        }}
      >
        <div class="fields">
          {[...uses].map(([name, use]) => (
            <Field
              key={name}
              label={
                <>
                  {t.file.column} <Text>{name}</Text>
                </>
              }
              hint={valuesOf(columns, name)}
              error={twice.has(name) ? t.file.twice : undefined}
            >
              <select
                required
                value={use ?? ''}
                title={t.file.missing}
                onChange={({ currentTarget: { value } }) =>
                  setUses(new Map([...uses, [name, isColumnUse(value) ? value : null]]))
                }
              >
                <option value="">{t.file.choose}</option>
                {COLUMNS.map((column) => (
                  <option key={column} value={column}>
                    {isSuggested(columns, name, column)
                      ? t.file.suggested(t.file.uses[column])
                      : t.file.uses[column]}
                  </option>
                ))}
                <option value="ignore">{t.file.ignore}</option>
              </select>
            </Field>
          ))}
        </div>
        <label class="choice below">
          <input type="checkbox" required />
          {t.file.checked}
        </label>
        <ReadButton isBusy={isBusy} />
      </form>
    </Section>
  );
}

/** The first values of a column; undefined: none is known. */
function valuesOf(columns: Columns, name: string) {
  const values = columns.find((column) => column.name === name)?.values ?? [];
  if (values.length === 0) return undefined;
  return values.map((value, at) => (
    <span key={at}>
      {at === 0 ? '' : ' · '}
      <Text>{value}</Text>
    </span>
  ));
}

const isSuggested = (columns: Columns, name: string, use: ColumnUse): boolean =>
  columns.some((column) => column.name === name && column.suggestion === use);

function ReadButton({ isBusy }: { isBusy: boolean }) {
  const t = useTexts();
  return (
    <div class="form-actions">
      <button type="submit" class="first" aria-disabled={isBusy}>
        {isBusy ? t.payment.reading : t.file.read}
      </button>
    </div>
  );
}
