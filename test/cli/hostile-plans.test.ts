import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PLAN_BYTES_MAX } from '../../src/operations/file/read-plan.ts';
import { GOOD } from './support/files.ts';
import {
  again,
  CONFIRM,
  ID,
  type Json,
  PLAN,
  plannedWorld,
  readPlan,
  refusalOf,
  world,
  writePlan,
} from './support/planned-world.ts';

describe('a plan file that was edited', () => {
  const edit = async (change: (plan: Json) => void) => {
    const made = await plannedWorld();
    const plan = readPlan(made);
    change(plan);
    writePlan(made, plan);
    return refusalOf(made);
  };
  const inside = (field: string, change: Json) => (plan: Json) => {
    plan[field] = { ...(plan[field] as Json), ...change };
  };

  it.each<[string, (plan: Json) => void, string]>([
    ['its number of rows', inside('rows', { total: 4 }), 'rows.total is 4 and was 3'],
    [
      'its totals',
      (plan) => {
        plan['currencies'] = [{ currency: 'USDT_TRC20', rows: 3, total: '6.5' }];
      },
      'currencies.0.total is "6.5" and was "60.5"',
    ],
    [
      'a chunk',
      (plan) => {
        plan['chunkList'] = [];
      },
      'chunkList.0 is missing and was {"chunk":0,',
    ],
    [
      'its rules',
      inside('rules', { limits: [] }),
      'rules.limits.0 is missing and was "No limits."',
    ],
    ['something that no plan has', inside('rows', { paid: 3 }), 'rows.paid is 3 and was missing'],
    [
      'a name that every object has',
      inside('rows', { constructor: 1 }),
      'rows.constructor is 1 and was missing',
    ],
    [
      'its digest',
      (plan) => {
        plan['digest'] = `sha256:${'0'.repeat(64)}`;
      },
      'its digest does not follow from its parts',
    ],
    [
      'a part',
      inside('parts', { limits: '0'.repeat(64) }),
      'its digest does not follow from its parts',
    ],
  ])('in %s is refused', async (_what, change, where) => {
    const { exitCode, code, what } = await edit(change);
    expect([exitCode, code]).toEqual([2, 'PLAN_FILE_EDITED']);
    expect(what).toContain(`${PLAN} was changed after it was written: ${where}`);
  });

  it.each<[string, (plan: Json) => void, string]>([
    ['another time', inside('choices', { at: '2026-12-01T09:00:00.000Z' }), 'the choices'],
    [
      'the accepted codes',
      inside('choices', { accept: ['DUPLICATE_ROW'] }),
      'the accepted findings',
    ],
    ['no row tags', inside('choices', { rowTag: 'off' }), 'the choices'],
    ['another id', (plan) => Object.assign(plan, { batchId: 'other' }), 'the id of the batch'],
  ])('to choose %s is refused', async (_what, change, part) => {
    const { exitCode, code, what } = await edit(change);
    expect([exitCode, code]).toEqual([2, 'PLAN_FILE_EDITED']);
    expect(what).toContain(`its digest does not stand for ${part} that it shows`);
  });

  it('to choose smaller chunks is refused as another plan: that shows in its chunks alone', async () => {
    const { exitCode, code, what } = await edit(inside('choices', { chunkRows: 1 }));
    expect([exitCode, code]).toEqual([2, 'PLAN_CHANGED']);
    expect(what).toContain('Changed: chunks 1 -> 3.');
  });

  it('in notes that are not read is carried out unchanged', async () => {
    const made = await plannedWorld();
    const plan = readPlan(made);
    writePlan(made, { ...plan, funds: [], nack: 'x', problems: [], historyRead: true });
    expect(await made.run('submit', '--plan', PLAN, ...CONFIRM)).toMatchObject({ code: 8 });
  });

  it('in its layout is carried out', async () => {
    const made = await plannedWorld();
    writePlan(made, Object.fromEntries(Object.entries(readPlan(made)).reverse()));
    expect(await made.run('submit', '--plan', PLAN, ...CONFIRM)).toMatchObject({ code: 8 });
  });

  it('in any one value never starts another batch', async () => {
    const made = await plannedWorld();
    const plan = readPlan(made);
    const paths = leavesOf(plan);
    const other = fc.oneof(
      fc.constant(null),
      fc.boolean(),
      fc.integer(),
      fc.string(),
      fc.constant([]),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), other, async (path, value) => {
        writePlan(made, withValue(plan, path, value));
        await made.run('submit', '--plan', PLAN, ...CONFIRM);
        const [started, ...more] = made.engine.started.splice(0);
        made.engine.executions.clear();
        expect(more).toEqual([]);
        expect(started?.options.expectedDigest?.digest ?? plan['digest']).toBe(plan['digest']);
        expect(started?.batchId ?? ID).toBe(ID);
      }),
      { numRuns: 60 },
    );
  });
});

type Path = readonly string[];

function leavesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, [...path, name]));
}

function withValue(object: unknown, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined) return value;
  const copy = structuredClone(object) as Json;
  copy[name] = withValue(copy[name], rest, value);
  return copy;
}

describe('a file that is no plan', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

  it.each<{ what: string; text: string; problem: string }>`
    what                   | text                               | problem
    ${'empty'}             | ${''}                              | ${'it cannot be read as JSON'}
    ${'the merchant file'} | ${GOOD}                            | ${'it cannot be read as JSON'}
    ${'cut off'}           | ${'{"schema":"bursar.plan/v1"'}    | ${'it cannot be read as JSON'}
    ${'a list'}            | ${'[]'}                            | ${'Invalid input: expected object, received array'}
    ${'a text'}            | ${'"bursar.plan/v1"'}              | ${'Invalid input: expected object, received string'}
    ${'another schema'}    | ${'{"schema":"bursar.plan/v9"}'}   | ${'schema Invalid input: expected "bursar.plan/v1"'}
    ${'a report'}          | ${'{"schema":"bursar.report/v1"}'} | ${'schema Invalid input: expected "bursar.plan/v1"'}
    ${'deep'}              | ${deep}                            | ${'it is nested too deep'}
    ${'ambiguous'}         | ${'{"digest":"a","digest":"b"}'}   | ${'it has a field twice in one object'}
    ${'an attack'}         | ${'{"__proto__":{"digest":"a"}}'}  | ${'it has a field named __proto__'}
  `('is refused: $what', async ({ text, problem }) => {
    const made = await plannedWorld();
    writePlan(made, text);
    expect(await refusalOf(made)).toEqual({
      exitCode: 2,
      code: 'PLAN_FILE_UNREADABLE',
      what: `${PLAN} cannot be read as a plan: ${problem}.`,
    });
  });

  it.each<[string, string, unknown]>([
    ['id', 'batchId', '../../etc'],
    ['id of another kind', 'batchId', 1],
    ['digest', 'digest', 'sha256:x'],
    ['account', 'account', null],
    ['path', 'file', { path: '', sha256: 'a'.repeat(64) }],
    ['number of chunks', 'chunks', -1],
  ])('is refused for its %s', async (_what, field, value) => {
    const made = await plannedWorld();
    writePlan(made, { ...readPlan(made), [field]: value });
    const { code, what } = await refusalOf(made);
    expect([code, what]).toEqual(['PLAN_FILE_UNREADABLE', expect.stringContaining(`: ${field}`)]);
  });

  it.each<[string, unknown]>([
    ['chunkRows', 0],
    ['chunkRows', 10_001],
    ['chunkRows', 1.5],
    ['canaryRows', -1],
    ['canaryRows', '1'],
    ['rowTag', 'maybe'],
    ['currency', 'usdt'],
    ['at', 'tomorrow'],
    ['at', '2026-12-01T09:00:00+01:00'],
    ['executionDate', 5],
    ['fundsWaitMs', 0],
    ['fundsWaitMs', 1e18],
    ['skipInvalid', 'no'],
    ['expectCount', -1],
    ['expectTotals', ['1e3']],
    ['expectTotals', '60.5'],
    ['accept', ['EVERYTHING']],
    ['stopLoss', ['5']],
    ['more', true],
  ])('is refused for the choice %s: %j', async (choice, value) => {
    const made = await plannedWorld();
    const plan = readPlan(made);
    writePlan(made, { ...plan, choices: { ...(plan['choices'] as Json), [choice]: value } });
    expect((await refusalOf(made)).code).toBe('PLAN_FILE_UNREADABLE');
  });

  it('is refused when it is not there, a folder, not text, or too large', async () => {
    const made = world();
    const path = join(made.world.cwd, PLAN);
    expect((await refusalOf(made)).what).toContain('there is no such file');
    writeFileSync(path, Buffer.from([0x7b, 0xff, 0x7d]));
    expect((await refusalOf(made)).what).toContain('it is not UTF-8 text');
    truncateSync(path, PLAN_BYTES_MAX + 1);
    expect((await refusalOf(made)).what).toContain('it has more than 67,108,864 bytes');
    const folder = again(made, {});
    mkdirSync(join(folder.world.cwd, 'folder'));
    const { value } = await folder.json('submit', '--plan', 'folder', ...CONFIRM);
    expect(value['what']).toContain('it is not a file');
  });

  it('does not drive the terminal', async () => {
    const made = await plannedWorld();
    writePlan(made, { ...readPlan(made), 'a\u001B[2J\u202E': '\u001B\u202E' });
    const { out, err } = await made.run('submit', '--plan', PLAN, ...CONFIRM);
    expect(err).toContain('PLAN_FILE_EDITED');
    for (const hidden of ['\u001B', '\u202E']) expect(`${out}${err}`).not.toContain(hidden);
  });
});
