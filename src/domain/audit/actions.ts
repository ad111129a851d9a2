/** The actor of an entry about an act of the engine. */
export const ENGINE = 'Bursar';

/** The action of an entry that names the end of the chain of a batch. */
export const HEAD = 'head';

/** The action of the entry that closes the first chain, which had the entries of all batches. */
export const CLOSE_LOG = 'close-log';

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
    'set-times',
    'bar',
  ],
  ...['verify', 'unverify'],
  ...['resent', 'returned', 'report', 'report-version', 'end', 'check-balance'],
  ...[HEAD, CLOSE_LOG],
];
