import type { ResultOf } from '../api/results.ts';
import { Money } from './money.tsx';
import { None, Text } from './text.tsx';
import { Time } from './time.tsx';

type FoundPaymentProps = Readonly<{ payment: ResultOf<'find'>['finds'][number]['payment'] }>;

/** Who gets what, and since when its outcome is known. */
export function FoundPayment({ payment }: FoundPaymentProps) {
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
