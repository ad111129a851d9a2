import type { Store } from '../../store/index.ts';

export type ReportDeps = Readonly<{
  store: Store;
  /** Folder under which each batch has its own. */
  reportDir: string;
  nowMs(): number;
}>;
