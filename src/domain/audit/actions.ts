/** Steps of the engine's own work. All others are what people, rules and schedules decided or tried. */
export const STEPS: readonly string[] = [
  ...['take', 'read', 'plan', 'fees'],
  ...['send', 'answer', 'lookup', 'found', 'reject', 'close', 'close-unsent', 'abandon'],
  ...[
    'ask-operator',
    'withdraw-question',
    'drop-answer',
    'settle',
    'disown',
    'reopen',
    'amend',
    'found-late',
    'bar',
  ],
  ...['verify', 'unverify'],
  ...['resent', 'returned', 'report', 'report-version', 'end', 'check-balance'],
];
