import type { ShownOutcome } from '../../domain/settling/outcome.ts';
import { Money } from './money.tsx';
import { None, Text } from './text.tsx';
import { Time } from './time.tsx';

/** The payment of a row that was found. */
export type FoundPaymentFacts = Readonly<{
  address: string;
  payee: string | null;
  reference: string;
  amount: string;
  currency: string;
  outcome: ShownOutcome;
  /** When the outcome was known; null: it is open. */
  at: string | null;
}>;

/** Who gets what, and since when its outcome is known. */
export function FoundPayment({ payment }: { payment: FoundPaymentFacts | null }) {
  if (payment === null) return <None />;
  const { reference, payee, address, amount, currency, at } = payment;
  const names = [reference, payee ?? ''].filter((name) => name !== '');
  return (
    <span class="two">
      <Text>{names.length === 0 ? address : names.join(', ')}</Text>
      <Money amount={amount} currency={currency} />
      {at === null ? null : (
        <span class="fine">
          <Time value={at} />
        </span>
      )}
    </span>
  );
}
