import type { AdminFaultKind, AdminFaultKinds } from '@bursar/sandbox/admin';
import { useState } from 'preact/hooks';
import { callAdmin } from '../api/call-admin.ts';
import { useAnswer } from '../api/use-answer.ts';
import { ActionForm, type FormFields } from '../parts/action-form.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Section } from '../parts/section.tsx';
import { Field, Select } from '../parts/field.tsx';
import { FAULT_FIELDS, FIRING_FIELDS, KIND_TEXTS, LIMITING_FIELDS } from './fault-texts.ts';

const WEBHOOK = 'WEBHOOK';

/** A form with the fields of the chosen kind. */
export function AddFault() {
  const { value, error } = useAnswer('GET /faults/kinds', { once: true });
  return (
    <Section title="Add a fault">
      <ErrorNote what="The kinds of faults cannot be read." error={error} />
      {value === null ? null : <Form kinds={value} />}
    </Section>
  );
}

function Form({ kinds }: { kinds: AdminFaultKinds }) {
  const [target, setTarget] = useState<string>('MASS_CREATE');
  const [chosenKind, setChosenKind] = useState('accept-then-drop');
  const fitting = kinds.kinds.filter((each) => (each.target === WEBHOOK) === (target === WEBHOOK));
  const kind = fitting.find((each) => each.kind === chosenKind) ?? fitting[0];
  if (kind === undefined) return null;
  const fields = fieldsOf(kind);
  const show = (name: string) => (
    <FaultField key={name} name={name} isNeeded={kind.needs.includes(name)} pages={kinds.pages} />
  );
  return (
    <ActionForm
      label="Add a fault"
      submit="Add fault"
      isKept
      send={async (form) => {
        const added = await callAdmin('POST /faults', { body: bodyOf(form, fields) });
        return `Added fault ${added.id}: ${added.kind} for ${added.target}.`;
      }}
    >
      <Field label="Target">
        <Select
          name="target"
          value={target}
          options={[...kinds.operations, WEBHOOK]}
          onChoose={setTarget}
        />
      </Field>
      <Field label="Kind" hint={KIND_TEXTS[kind.kind]}>
        <Select
          name="kind"
          value={kind.kind}
          options={fitting.map((each) => each.kind)}
          onChoose={setChosenKind}
        />
      </Field>
      {kind.needs.map(show)}
      <details>
        <summary>Frequency, account and key</summary>
        <div class="fields">{fields.filter((name) => !kind.needs.includes(name)).map(show)}</div>
      </details>
    </ActionForm>
  );
}

const fieldsOf = ({ target, needs, may }: AdminFaultKind): string[] => [
  ...needs,
  ...may,
  ...FIRING_FIELDS,
  ...(target === WEBHOOK ? [] : LIMITING_FIELDS),
];

function bodyOf({ text }: FormFields, fields: readonly string[]): object {
  const given = fields.flatMap((name) => {
    const written = text(name);
    if (written === '') return [];
    return [[name, FAULT_FIELDS[name]?.input === 'number' ? Number(written) : written]];
  });
  return { target: text('target'), kind: text('kind'), ...Object.fromEntries(given) };
}

type FaultFieldProps = Readonly<{ name: string; isNeeded: boolean; pages: readonly string[] }>;

function FaultField({ name, isNeeded, pages }: FaultFieldProps) {
  const { label, hint, input, options } = FAULT_FIELDS[name] ?? { label: name, input: 'text' };
  const choices = name === 'page' ? pages : options;
  if (choices !== undefined) {
    return (
      <Field label={label} hint={hint}>
        <Select name={name} options={choices} {...(isNeeded ? {} : { none: 'as usual' })} />
      </Field>
    );
  }
  return (
    <Field label={label} hint={hint}>
      {input === 'number' ? (
        <input name={name} type="number" step="any" required={isNeeded} />
      ) : (
        <input name={name} required={isNeeded} autocomplete="off" />
      )}
    </Field>
  );
}
