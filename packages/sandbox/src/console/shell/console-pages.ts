/** Every page of the console: the part after the hash, the name, and the key after `g`. */
export const CONSOLE_PAGES = [
  { path: 'payouts', name: 'Payouts', key: 'p' },
  { path: 'accounts', name: 'Accounts', key: 'a' },
  { path: 'webhooks', name: 'Webhooks', key: 'w' },
  { path: 'deliveries', name: 'Deliveries', key: 'd' },
  { path: 'events', name: 'Events', key: 'e' },
  { path: 'faults', name: 'Faults', key: 'f' },
  { path: 'modes', name: 'Modes', key: 'm' },
  { path: 'requests', name: 'Requests', key: 'r' },
] as const;

export type ConsolePage = (typeof CONSOLE_PAGES)[number];
