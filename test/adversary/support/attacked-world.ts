import { NO_UNSENT_LIST } from '../../../src/store/sending/unsent-list.ts';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { loadSettings, requireApi } from '../../../src/config.ts';
import { openStore } from '../../../src/store/index.ts';
import { createActivities, type WorkerActivities } from '../../../src/activities/index.ts';
import { publicKeyOf } from '../../support/approvers.ts';
import { ACCOUNT } from '../../support/store-fixtures.ts';
import { migrated } from '../../support/test-database.ts';
import { attackedService, type ServiceState } from './attacked-service.ts';

/** Roles of the people of the policy. Alice submits; two others of finance must approve. */
export const ROLES = { alice: 'finance', bob: 'finance', carol: 'finance', dave: 'it' } as const;

/** The limit of a day for batches in the guarded currency: all victims but one are within it together. */
export const DAY_LIMIT = '1000';

const HOUR_MS = 3_600_000;

/** Every batch in this currency needs approvals. */
export const GUARDED = 'USDT_TRC20';
/** No batch in this currency needs any. */
export const FREE = 'USDC_ERC20';

/** Settings of a worker whose policy asks for two signatures of finance. */
const settingsOf = (folder: string) =>
  loadSettings({
    cwd: () => folder,
    env: {
      BURSAR_API_BASE_URL: 'http://127.0.0.1:9',
      BURSAR_API_KEY: 'key',
      BURSAR_API_ACCOUNT: ACCOUNT,
      BURSAR_STORE_URL: `sqlite:${join(folder, 'store.db')}`,
      BURSAR_BLOB_URL: `file:${join(folder, 'blobs')}`,
      BURSAR_REPORT_DIR: join(folder, 'runs'),
      BURSAR_SCHEDULE_FOLDER: join(folder, 'incoming'),
      BURSAR_LIMITS_DAY: `${DAY_LIMIT}:${GUARDED}`,
      BURSAR_APPROVAL_EXPIRES_AFTER_MS: String(24 * HOUR_MS),
      BURSAR_APPROVAL_TIERS: JSON.stringify([
        { currency: GUARDED, above: '0', approvals: 2, roles: ['finance'] },
      ]),
      BURSAR_APPROVAL_PEOPLE: JSON.stringify(
        Object.entries(ROLES).map(([name, role]) => ({
          name,
          public_key: publicKeyOf(name),
          roles: [role],
        })),
      ),
    },
  });

export type AttackedWorld = Awaited<ReturnType<typeof openWorld>>;

export type ActivityName = keyof WorkerActivities;

/** How one call of an activity ended. */
export type CallEnd = Readonly<{ result: unknown } | { error: unknown }>;

/** The activities of a worker on a real store in a folder. Only the service is played. */
export async function openWorld(folder: string, known?: ServiceState) {
  const settings = settingsOf(folder);
  const store = await openStore(await migrated(settings.store.url));
  const attacked = attackedService(known);
  const activities = createActivities({
    settings,
    access: requireApi(settings),
    tryReads: () =>
      Promise.resolve([
        {
          operation: 'MASS_GET',
          name: 'id',
          verdict: 'understood',
          hasAnswer: true,
          hasFound: false,
          answer: '',
        },
      ]),
    store,
    service: attacked.service,
    unsent: NO_UNSENT_LIST,
    spool: { lastReceivedAtMs: () => Promise.resolve(null) },
    namespace: 'default',
    mayGoOn: () => true,
    env: {},
  });
  return {
    store,
    attacked,
    activities,
    folder,
    /** Calls an activity as a workflow of any id does. A call that rests is canceled after `msMax`. */
    async call(
      name: ActivityName,
      input: unknown,
      { workflowId = 'rogue', msMax = 30_000 } = {},
    ): Promise<CallEnd> {
      const environment = new MockActivityEnvironment(
        { workflowExecution: { workflowId, runId: `${workflowId}-run` } },
        { logger: new DefaultLogger('ERROR') },
      );
      const timer = setTimeout(() => environment.cancel(), msMax);
      try {
        const work = activities[name] as (given: unknown) => Promise<unknown>;
        return { result: await environment.run(work, input) };
      } catch (error) {
        return { error };
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => store.close(),
  };
}
