import { callAdmin } from '../api/call-admin.ts';
import { ActionForm } from '../parts/action-form.tsx';
import { Field, Select } from '../parts/field.tsx';
import { Section } from '../parts/section.tsx';

const OP_CODES = ['SETTLEMENT_TOP_UP', 'TOP_UP'] as const;

export type TopUpProps = Readonly<{ accounts: readonly string[]; currencies: readonly string[] }>;

/** Adds money to a balance, like a top-up over the network. */
export const TopUp = ({ accounts, currencies }: TopUpProps) => (
  <Section title="Top up">
    <ActionForm
      label="Top up"
      submit="Top up"
      send={async ({ text, given }) => {
        const { balance, currency } = await callAdmin('POST /top-up', {
          body: {
            account: given('account'),
            currency: text('currency'),
            amount: text('amount'),
            opCode: text('opCode'),
          },
        });
        return `Topped up by ${text('amount')} ${currency}. The balance is ${balance} ${currency}.`;
      }}
    >
      {accounts.length < 2 ? null : (
        <Field label="Account">
          <Select name="account" options={accounts} />
        </Field>
      )}
      <Field label="Currency" hint="A new currency opens a balance.">
        <input name="currency" list="currencies" required autocomplete="off" />
      </Field>
      <datalist id="currencies">
        {currencies.map((currency) => (
          <option key={currency} value={currency} />
        ))}
      </datalist>
      <Field label="Amount">
        <input name="amount" inputMode="decimal" required autocomplete="off" placeholder="10.5" />
      </Field>
      <Field label="Operation code">
        <Select name="opCode" options={OP_CODES} />
      </Field>
    </ActionForm>
  </Section>
);
