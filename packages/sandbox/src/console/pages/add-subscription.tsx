import type { AdminEventTypes, AdminNewSubscription } from '@bursar/sandbox/admin';
import { useState } from 'preact/hooks';
import { callAdmin } from '../api/call-admin.ts';
import { useAnswer } from '../api/use-answer.ts';
import { ActionForm, type FormFields } from '../parts/action-form.tsx';
import { DialogActions } from '../parts/action-button.tsx';
import { Copy } from '../parts/copy.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Facts } from '../parts/facts.tsx';
import { Field, Select } from '../parts/field.tsx';

/** Adds a subscription and shows its secret key once. */
export function AddSubscription({ onClose }: { onClose(): void }) {
  const [added, setAdded] = useState<AdminNewSubscription | null>(null);
  const send = async (fields: FormFields): Promise<string> => {
    const subscription = await callAdmin('POST /webhooks', { body: bodyOf(fields) });
    setAdded(subscription);
    return `Added ${subscription.url}.`;
  };
  return (
    <Dialog title={added === null ? 'Add a subscription' : 'Added'} onClose={onClose}>
      {added === null ? (
        <Form send={send} onClose={onClose} />
      ) : (
        <>
          <p>Copy the secret key now. The sandbox does not show it again.</p>
          <Facts
            facts={[
              ['Public key', <Copy value={added.publicKey} what="public key" />],
              ['Secret key', <Copy value={added.secretKey} what="secret key" />],
            ]}
          />
          <DialogActions onClose={onClose} closeLabel="Close" />
        </>
      )}
    </Dialog>
  );
}

function bodyOf({ text, given, all }: FormFields): object {
  const [types, groups] = [all('type'), all('group')];
  return {
    url: text('url'),
    account: given('account'),
    ...(types.length > 0 && { notificationEventTypes: types }),
    ...(groups.length > 0 && { notificationServiceTypes: groups }),
  };
}

type FormProps = Readonly<{ send(fields: FormFields): Promise<string>; onClose(): void }>;

function Form({ send, onClose }: FormProps) {
  const accounts = useAnswer('GET /accounts', { once: true });
  const events = useAnswer('GET /events/types', { once: true });
  return (
    <ActionForm
      label="Subscription"
      submit="Add"
      send={send}
      isKept
      more={
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      }
    >
      <Field
        label="Address"
        hint="Gets a POST with each event. Only the status 200 means delivered."
      >
        <input name="url" type="url" required placeholder="http://127.0.0.1:9000/hooks" />
      </Field>
      <Field label="Account">
        <Select
          name="account"
          none="Every account"
          options={accounts.value?.accounts.map(({ account }) => account) ?? []}
        />
      </Field>
      <ErrorNote what="The events cannot be read." error={events.error ?? accounts.error} />
      <fieldset>
        <legend>Events. Without a choice: all of them</legend>
        {events.value?.groups.map((group) => (
          <Group key={group} group={group} events={events.value} />
        ))}
      </fieldset>
    </ActionForm>
  );
}

function Group({ group, events }: { group: string; events: AdminEventTypes | null }) {
  const types = events?.types.filter((each) => each.group === group) ?? [];
  return (
    <details class="choices">
      <summary>{group}</summary>
      <label class="choice">
        <input type="checkbox" name="group" value={group} /> The whole group {group}
      </label>
      {types.map(({ type }) => (
        <label key={type} class="choice">
          <input type="checkbox" name="type" value={type} /> {type}
        </label>
      ))}
    </details>
  );
}
