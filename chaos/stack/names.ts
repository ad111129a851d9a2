/** The workers of a stack whose store is a server. */
const WORKERS = ['worker-a', 'worker-b', 'worker-c', 'worker-d'] as const;

/** The processes of each stack, in the order in which they are started: each finds what it needs. They are stopped the other way round. */
export const STACKS = {
  sqlite: ['temporal', 'bridge', 'sandbox', 'worker-a', 'worker-b'],
  postgres: ['temporal', 'bridge', 'bridge-b', 'sandbox', ...WORKERS],
  cluster: ['temporal-a', 'temporal-b', 's3', 'bridge', 'bridge-b', 'sandbox', ...WORKERS],
} as const;

export type StackName = keyof typeof STACKS;

export type ProcessName = (typeof STACKS)[StackName][number];

/** The kinds of programs in the stack of a cluster. Each has at least two processes, but the sandbox and the S3 server. */
export const CLUSTER_KINDS = {
  worker: WORKERS,
  bridge: ['bridge', 'bridge-b'],
  'Temporal node': ['temporal-a', 'temporal-b'],
  sandbox: ['sandbox'],
  'S3 server': ['s3'],
} as const satisfies Readonly<Record<string, readonly ProcessName[]>>;
