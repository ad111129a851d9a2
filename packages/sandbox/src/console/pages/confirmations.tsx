import type { AdminAccount } from '@bursar/sandbox/admin';
import { useState } from 'preact/hooks';
import { callAdmin } from '../api/call-admin.ts';
import { useAction } from '../api/use-action.ts';
import { ActionForm } from '../parts/action-form.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';

const PEOPLE_MAX = 10;

/** How many people must confirm the mass payouts of an account. */
export function Confirmations({ account }: { account: AdminAccount }) {
  const [isOpen, setOpen] = useState(false);
  const action = useAction();
  const { confirmations: people, name } = account;
  const change = async (confirmations: number | null): Promise<string> => {
    const body = { account: account.account, confirmations };
    const changed = await callAdmin('POST /accounts', { body });
    return `${name}: ${confirmationsText(changed.confirmations)}.`;
  };
  const giveBack = async (): Promise<void> => {
    if (await action.run(() => change(null))) setOpen(false);
  };
  return (
    <>
      <span class="fine">{confirmationsText(people)}</span>
      <button
        type="button"
        aria-label={`Change confirmations of ${name}`}
        onClick={() => setOpen(true)}
      >
        Change
      </button>
      {isOpen ? (
        <Dialog title={`Confirmations of ${name}`} onClose={() => setOpen(false)}>
          <ActionForm
            label="Confirmations"
            submit="Save"
            send={(fields) => change(Number.parseInt(fields.text('people'), 10))}
            onDone={() => setOpen(false)}
            more={
              <>
                <button type="button" onClick={() => setOpen(false)}>
                  Cancel
                </button>
                <button type="button" onClick={() => void giveBack()}>
                  As in the settings
                </button>
              </>
            }
          >
            <Field
              label="People who must confirm"
              hint="0 for none: mass payouts are sent at once. Mass payouts that wait follow the new number, too."
            >
              <input
                name="people"
                type="number"
                min={0}
                max={PEOPLE_MAX}
                required
                defaultValue={people}
              />
            </Field>
          </ActionForm>
        </Dialog>
      ) : null}
    </>
  );
}

function confirmationsText(people: number): string {
  if (people === 0) return 'No confirmation needed';
  return people === 1 ? '1 person must confirm' : `${people} people must confirm`;
}
