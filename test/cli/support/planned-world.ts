import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type FakeWorld, fakeWorld, type WorldOptions } from './fake-world.ts';
import { DUPLICATE, derivedId, GOOD, ONE_BAD, withFiles } from './files.ts';

const FILES = { 'good.csv': GOOD, 'one-bad.csv': ONE_BAD, 'duplicate.csv': DUPLICATE };
export const ID = derivedId('good', GOOD);
export const PLAN = 'plan.json';
export const CONFIRM = ['--confirm', '60.5:USDT_TRC20', '--detach'];

export type Json = Record<string, unknown>;

/** A world with the files of these tests. */
export const world = (more: Partial<WorldOptions> = {}) =>
  fakeWorld({ cwd: withFiles(temporaryFolder(), FILES), ...more });

/** A world in which `good.csv` was planned with these flags. */
export async function plannedWorld(
  flags: readonly string[] = [],
  more: Partial<WorldOptions> = {},
) {
  const made = world(more);
  const { code } = await made.run('plan', 'good.csv', '--out', PLAN, ...flags);
  expect(code).toBe(0);
  return made;
}

/** The same folder, seen with other settings. */
export const again = ({ world: { cwd } }: FakeWorld, more: Partial<WorldOptions>): FakeWorld =>
  fakeWorld({ cwd, ...more });

export const readPlan = ({ world: { cwd } }: FakeWorld): Json =>
  JSON.parse(readFileSync(join(cwd, PLAN), 'utf8')) as Json;

export const writePlan = ({ world: { cwd } }: FakeWorld, plan: unknown): void =>
  writeFileSync(join(cwd, PLAN), typeof plan === 'string' ? plan : JSON.stringify(plan));

/** Submits the plan, and tells why nothing was started. */
export async function refusalOf(made: FakeWorld, ...more: string[]) {
  const { code, value } = await made.json('submit', '--plan', PLAN, ...CONFIRM, ...more);
  expect(made.engine.started).toEqual([]);
  return { exitCode: code, code: value['code'], what: String(value['what']) };
}
