import { useState } from 'preact/hooks';
import { callAdmin, CallError } from '../api/call-admin.ts';
import { useAnswer } from '../api/use-answer.ts';
import { ActionForm, type FormFields } from '../parts/action-form.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Field, Select } from '../parts/field.tsx';
import { PrettyJson } from '../parts/pretty-json.tsx';
import { Section } from '../parts/section.tsx';

/** Announces an event of any type. Nothing else changes. */
export function Trigger() {
  const [chosen, setChosen] = useState<string>('PAYOUT_CHANGE_STATUS');
  const events = useAnswer('GET /events/types', { once: true });
  const accounts = useAnswer('GET /accounts', { once: true }).value?.accounts ?? [];
  const types = events.value?.types ?? [];
  const sample = types.find(({ type }) => type === chosen)?.data;
  return (
    <Section title="Trigger" about="Announces an event by hand. Nothing else changes.">
      <ErrorNote what="The types of events cannot be read." error={events.error} />
      <ActionForm label="Trigger" submit="Trigger" send={trigger} isKept>
        <Field label="Event">
          <select name="type" onChange={(event) => setChosen(event.currentTarget.value)}>
            {events.value?.groups.map((group) => (
              <optgroup key={group} label={group}>
                {types
                  .filter((each) => each.group === group)
                  .map(({ type }) => (
                    <option key={type} value={type} selected={type === chosen}>
                      {type}
                    </option>
                  ))}
              </optgroup>
            ))}
          </select>
        </Field>
        {accounts.length < 2 ? null : (
          <Field label="Account">
            <Select name="account" options={accounts.map(({ account }) => account)} />
          </Field>
        )}
        <Field label="Overrides" hint="JSON. The names are dotted paths into the data.">
          <textarea
            name="overrides"
            rows={3}
            spellcheck={false}
            placeholder={'{"state": "PARTIAL", "errors.withdrawalErrors": []}'}
          />
        </Field>
      </ActionForm>
      {sample === undefined ? null : (
        <details class="sample">
          <summary>Its data without overrides</summary>
          <PrettyJson text={JSON.stringify(sample)} label={`Sample data of ${chosen}`} />
        </details>
      )}
    </Section>
  );
}

/** Sends the overrides as the person wrote them, so that their numbers stay exact. */
async function trigger({ text, given }: FormFields): Promise<string> {
  const head = JSON.stringify({ type: text('type'), account: given('account') });
  const overrides = text('overrides');
  checkObject(overrides);
  const body = overrides === '' ? head : `${head.slice(0, -1)},"overrides":${overrides}}`;
  const { type, subscriptions } = await callAdmin('POST /events', { body });
  return `Announced ${type}, to ${subscriptions} ${subscriptions === 1 ? 'subscription' : 'subscriptions'}.`;
}

function checkObject(text: string): void {
  if (text === '') return;
  try {
    JSON.parse(text);
  } catch (error) {
    throw new CallError(`The overrides are not JSON: ${String(error)}`, { status: 400 });
  }
}
