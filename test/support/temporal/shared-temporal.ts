/** The Temporal server and the workflow bundle that all tests of a run share. */
export type SharedTemporal = Readonly<{
  /** `host:port` for clients and workers. */
  address: string;
  namespace: string;
  /** For `Worker.create`; give each test a task queue of its own. */
  workflowBundle: Readonly<{ codePath: string }>;
}>;

export function sharedTemporal(): SharedTemporal {
  return {
    address: variable('BURSAR_TEST_TEMPORAL_ADDRESS'),
    namespace: 'default',
    workflowBundle: { codePath: variable('BURSAR_TEST_WORKFLOW_BUNDLE') },
  };
}

function variable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: jest.config.js must name the global set-up`);
  return value;
}
