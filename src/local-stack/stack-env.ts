import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { OPERATIONS } from '@bursar/merchant-api/spec';
import { z } from 'zod';
import { type Env, replacePrivateFile } from '../config.ts';
import { BursarError, isBursarError } from '../domain/errors/bursar-error.ts';
import { lockFolder } from './lock.ts';

/** The variables that commands of another terminal need to use a stack. None is a secret. */
const SHARED_VARIABLES = [
  'TEMPORAL_ADDRESS',
  'TEMPORAL_CONFIG_FILE',
  'BURSAR_TEMPORAL_UI_URL',
  'BURSAR_TEMPORAL_KEY_RING_FILE',
  'BURSAR_API_BASE_URL',
  'BURSAR_API_KEY',
  'BURSAR_API_ACCOUNT',
  'BURSAR_API_SECRET_FILE',
  ...OPERATIONS.map((operation) => `BURSAR_API_ENDPOINT_${operation}`),
  'BURSAR_SANDBOX_LISTEN',
  'BURSAR_BRIDGE_LISTEN',
];

const SharedEnv = z.record(z.string(), z.string());

/** The variables by which commands use a stack, with their values. */
export type SharedEnv = z.output<typeof SharedEnv>;

/** Returns those variables of the environment of a stack that commands need. */
export const sharedEnvOf = (env: Env): SharedEnv =>
  Object.fromEntries(
    SHARED_VARIABLES.flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );

const fileIn = (dataDir: string): string => join(dataDir, 'stack-env.json');

/** Writes the variables of a running stack down, for `bursar env`. `dataDir`: `.bursar` of the stack. */
export const keepSharedEnv = (dataDir: string, env: Env): void =>
  replacePrivateFile(fileIn(dataDir), JSON.stringify(sharedEnvOf(env)));

/** Removes them when the stack ends. */
export const dropSharedEnv = (dataDir: string): void => rmSync(fileIn(dataDir), { force: true });

/** Reads the variables of the stack that runs below a folder. @throws STACK_NOT_RUNNING */
export function readSharedEnv(cwd: string): SharedEnv {
  const dataDir = join(cwd, '.bursar');
  const file = fileIn(dataDir);
  // A stack that was killed leaves the file behind, and not its lock.
  if (!existsSync(file) || !isLocked(dataDir)) {
    throw new BursarError('STACK_NOT_RUNNING', { folder: dataDir });
  }
  return SharedEnv.parse(JSON.parse(readFileSync(file, 'utf8')));
}

function isLocked(dataDir: string): boolean {
  try {
    lockFolder(dataDir).release();
    return false;
  } catch (error) {
    if (isBursarError(error) && error.code === 'STACK_RUNNING') return true;
    throw error;
  }
}
