/**
 * An exact amount. Style alone separates groups of three digits, so that a copy contains only the
 * digits.
 */
export function Amount({ value, currency }: { value: string; currency?: string }) {
  const [, sign = '', whole = value, rest = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(value) ?? [];
  return (
    <span class="amount">
      {sign}
      {groupsOf(whole).map((digits, at) => (
        <span key={at} class="digits">
          {digits}
        </span>
      ))}
      {rest}
      {currency === undefined ? null : (
        <>
          {' '}
          <bdi class="currency">{currency}</bdi>
        </>
      )}
    </span>
  );
}

function groupsOf(whole: string): string[] {
  const first = whole.length % 3;
  const groups = first === 0 ? [] : [whole.slice(0, first)];
  for (let at = first; at < whole.length; at += 3) groups.push(whole.slice(at, at + 3));
  return groups;
}
