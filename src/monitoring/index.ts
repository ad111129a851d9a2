export { type AdminServerDeps, createAdminServer, type Standstill } from './admin-server.ts';
export { type LoopWatch, watchLoop } from './loop-watch.ts';
export { createMetrics, type Meters, type MetricsDeps, type SpoolFigures } from './metrics.ts';
export { type ReadinessCheck, createReadiness } from './readiness.ts';
export { freeAddress, readSdkMetrics } from './sdk-metrics.ts';
