import type { ReportPlaces } from '../../report/shared-report.ts';
import type { Store } from '../../store/index.ts';

export type ReportDeps = ReportPlaces & Readonly<{ store: Store; nowMs(): number }>;
