/** Every page of the navigation: the part after the hash, and who may open it. */
export const PAGES = [
  { path: 'inbox', role: 'read' },
  { path: 'new', role: 'submit' },
  { path: 'batches', role: 'read' },
  { path: 'funds', role: 'read' },
  { path: 'schedules', role: 'read' },
  { path: 'payees', role: 'read' },
  { path: 'audit', role: 'read' },
  { path: 'people', role: 'read' },
] as const;

export type WebPage = (typeof PAGES)[number]['path'];
