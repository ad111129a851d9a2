import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { viewsAt } from '../../src/operations/engine/views.ts';
import { localDay } from '../../src/domain/schedule/zone.ts';
import { sharedTemporal } from '../support/temporal/shared-temporal.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeWorld, NOW } from './support/fake-world.ts';

const NOW_MS = Date.parse(NOW);

let client: Client;
beforeAll(async () => {
  const { address, namespace } = sharedTemporal();
  client = new Client({ connection: await Connection.connect({ address }), namespace });
});
afterAll(() => client.connection.close());

const count = async (query: string): Promise<number> => {
  let found = 0;
  for await (const _ of client.workflow.list({ query })) found += 1;
  return found;
};

describe('the list filter of the view', () => {
  it.each(viewsAt(NOW_MS, 'Europe/Berlin').map(({ name, query }) => [name, query]))(
    '"%s" is accepted by a server whose lists are kept in SQL',
    async (_name, query) => {
      expect(await count(query)).toBeGreaterThanOrEqual(0);
      expect(query).not.toMatch(/order by/i);
    },
  );

  it('would be refused by it if it were wrong', async () => {
    await expect(count("BursarMood = 'good'")).rejects.toThrow();
    await expect(count('WorkflowType = "x" ORDER BY StartTime')).rejects.toThrow();
  });
});

describe('bursar ui views', () => {
  const views = async (env: Record<string, string> = {}, timeZone = 'UTC') => {
    const world = fakeWorld({ cwd: temporaryFolder(), env, timeZone });
    const { value } = await world.json('ui', 'views');
    return value as {
      schema: string;
      views: { name: string; query: string | null; url: string }[];
    };
  };

  it('prints links that open the lists and keep them as views', async () => {
    const { schema, views: printed } = await views();
    expect(schema).toBe('bursar.ui-views/v1');
    const partial = printed.find(({ name }) => name === 'Bursar: partly paid');
    const url = new URL(partial?.url ?? '');
    expect(`${url.origin}${url.pathname}`).toBe(
      'http://127.0.0.1:8233/namespaces/default/workflows',
    );
    expect(url.searchParams.get('query')).toBe(partial?.query);
    expect(url.searchParams.get('savedQuery')).toBe('Bursar: partly paid');
  });

  it('leads to the web UI and the namespace of the settings', async () => {
    const { views: printed } = await views({
      BURSAR_TEMPORAL_UI_URL: 'https://ui.example/t/',
      TEMPORAL_NAMESPACE: 'pay roll',
      TEMPORAL_CONFIG_FILE: '/nowhere/temporal.toml',
    });
    for (const { url } of printed) {
      expect(url).toMatch(/^https:\/\/ui\.example\/t\/namespaces\/pay%20roll\//);
    }
    expect(printed.at(-1)).toEqual({
      name: 'Schedules',
      query: null,
      url: 'https://ui.example/t/namespaces/pay%20roll/schedules',
    });
  });

  it('does not have today kept as a view for ever, and takes the day of the person', async () => {
    const { views: printed } = await views({}, 'Pacific/Auckland');
    const today = printed.find(({ name }) => name === 'Bursar: due today');
    expect(today?.url).not.toContain('savedQuery');
    expect(today?.query).toContain(
      "BursarDueTime >= '2026-11-20T11:00:00Z' AND BursarDueTime < '2026-11-21T11:00:00Z'",
    );
  });

  it('names each view for people', async () => {
    const { out } = await fakeWorld({ cwd: temporaryFolder() }).run('ui', 'views');
    expect(out).toContain('Bursar: waiting for approval\n  http://127.0.0.1:8233/');
  });
});

describe('the day of an instant', () => {
  it.each([
    ['2026-11-21T09:00:00Z', 'UTC', '2026-11-21T00:00:00Z', '2026-11-22T00:00:00Z'],
    ['2026-03-29T12:00:00Z', 'Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
    ['2026-10-25T12:00:00Z', 'Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
    // Here the clock goes from 23:59 to 01:00.
    ['2026-04-24T12:00:00Z', 'Africa/Cairo', '2026-04-23T22:00:00Z', '2026-04-24T21:00:00Z'],
  ])('%s in %s', (now, timeZone, from, to) => {
    expect(localDay(Date.parse(now), timeZone)).toEqual({ from, to });
  });
});
