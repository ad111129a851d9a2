import { Money } from './money.tsx';
import { None, Text } from './text.tsx';

/** The payment at a place: who gets what. */
export function FoundPayment({ found }: { found: PaymentFacts }) {
  const { reference, payee, address, amount, currency } = found;
  const who = [reference, payee, address].find((text) => (text ?? '') !== '');
  if (who === undefined || who === null) return <None />;
  return (
    <span class="two">
      <Text>{who}</Text>
      {amount === undefined ||
      currency === undefined ||
      amount === null ||
      currency === null ? null : (
        <Money amount={amount} currency={currency} />
      )}
    </span>
  );
}

/** A place that is no row has none of these. */
export type PaymentFacts = Readonly<{
  reference?: string | null;
  payee?: string | null;
  address?: string | null;
  amount?: string | null;
  currency?: string | null;
}>;
