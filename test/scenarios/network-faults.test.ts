import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DEFAULT_ENDPOINTS } from '@bursar/merchant-api/spec';
import { sendsOf, type WrittenAttempt } from '../support/attempts.ts';
import { eventually } from '../support/eventually.ts';
import { type FaultKind, type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { expectEverythingTies } from '../support/exactly-once.ts';
import { type PlayedRun, type PlayedStack, startPlayedStack } from '../support/played-stack.ts';
import { isCreateOf, isLookupOf, nthHit } from '../support/proxied-requests.ts';
import { SHORT_WINDOW, SHORT_WINDOW_FENCE_MS } from '../support/quick-fence.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

jest.setTimeout(600_000);

/** What becomes of the first create of a chunk: by the service, or on the way there. */
type Story = Readonly<{
  story: string;
  fault?: object;
  onWay?: FaultKind;
  /** What is written down of it. */
  outcome: 'AMBIGUOUS' | 'REJECTED' | 'THROTTLED';
  /** Whether the service did it: then it is never sent again. */
  done: boolean;
}>;

const BEFORE = { kind: 'status' } as const;
const AFTER = { kind: 'status-after' } as const;

const STORIES: readonly Story[] = [
  {
    story: 'gets no answer, and was never done',
    fault: { kind: 'hang-before' },
    outcome: 'AMBIGUOUS',
    done: false,
  },
  {
    story: 'gets no answer, but was done',
    fault: { kind: 'hang-after' },
    outcome: 'AMBIGUOUS',
    done: true,
  },
  {
    story: 'is swallowed on its way, without a word',
    onWay: 'swallow',
    outcome: 'AMBIGUOUS',
    done: false,
  },
  { story: 'is cut off within its body', onWay: 'cut-request', outcome: 'AMBIGUOUS', done: false },
  {
    story: 'is done, and its answer is cut off',
    onWay: 'cut-answer',
    outcome: 'AMBIGUOUS',
    done: true,
  },
  {
    story: 'is done, and its answer is cut off by a closed connection',
    fault: { kind: 'truncate-body' },
    outcome: 'AMBIGUOUS',
    done: true,
  },
  {
    story: 'is done, and its answer is cut off by a reset',
    fault: { kind: 'reset-body' },
    outcome: 'AMBIGUOUS',
    done: true,
  },
  {
    story: 'is done, and half of the answer comes as if it were whole',
    fault: { kind: 'cut-json' },
    outcome: 'AMBIGUOUS',
    done: true,
  },
  {
    story: 'is done, and the answer comes a byte at a time, without an end',
    onWay: 'drip-answer',
    outcome: 'AMBIGUOUS',
    done: true,
  },
  {
    story: 'is answered with 500, and was not done',
    fault: { ...BEFORE, httpStatus: 500 },
    outcome: 'AMBIGUOUS',
    done: false,
  },
  {
    story: 'is answered with 502 and the page of a proxy, and was not done',
    fault: { ...BEFORE, httpStatus: 502, page: 'html' },
    outcome: 'AMBIGUOUS',
    done: false,
  },
  {
    story: 'is answered with 502 and the page of a proxy, but was done',
    fault: { ...AFTER, httpStatus: 502, page: 'html' },
    outcome: 'AMBIGUOUS',
    done: true,
  },
  {
    story: 'is answered with 503, and was not done',
    fault: { ...BEFORE, httpStatus: 503 },
    outcome: 'AMBIGUOUS',
    done: false,
  },
  {
    story: 'is answered with 504 and nothing else, but was done',
    fault: { ...AFTER, httpStatus: 504, page: 'empty' },
    outcome: 'AMBIGUOUS',
    done: true,
  },
  {
    story: 'is answered with 408, and was not done',
    fault: { ...BEFORE, httpStatus: 408 },
    outcome: 'AMBIGUOUS',
    done: false,
  },
  {
    story: 'is answered with 408, but was done',
    fault: { ...AFTER, httpStatus: 408 },
    outcome: 'AMBIGUOUS',
    done: true,
  },
  {
    story: 'is answered with 425, and was not done',
    fault: { ...BEFORE, httpStatus: 425 },
    outcome: 'AMBIGUOUS',
    done: false,
  },
  {
    story: 'is answered with 409, but was done',
    fault: { ...AFTER, httpStatus: 409 },
    outcome: 'AMBIGUOUS',
    done: true,
  },
  {
    story: 'is refused with 400, as a key that exists, but was done',
    fault: { ...AFTER, httpStatus: 400 },
    outcome: 'REJECTED',
    done: true,
  },
  {
    story: 'is refused with 422, as a key of another body, but was done',
    fault: { ...AFTER, httpStatus: 422 },
    outcome: 'REJECTED',
    done: true,
  },
  {
    story: 'is answered with 429, and was not done',
    fault: { ...BEFORE, httpStatus: 429 },
    outcome: 'THROTTLED',
    done: false,
  },
  {
    story: 'is answered with 429 and told when to come again, and was not done',
    fault: { ...BEFORE, httpStatus: 429, retryAfterS: 1 },
    outcome: 'THROTTLED',
    done: false,
  },
  {
    story: 'is answered with 429, but was done',
    fault: { ...AFTER, httpStatus: 429 },
    outcome: 'THROTTLED',
    done: true,
  },
  {
    story: 'is sent elsewhere with 302',
    fault: { ...BEFORE, httpStatus: 302 },
    outcome: 'AMBIGUOUS',
    done: false,
  },
  {
    story: 'is sent elsewhere with 307',
    fault: { ...BEFORE, httpStatus: 307 },
    outcome: 'AMBIGUOUS',
    done: false,
  },
  {
    story: 'is sent elsewhere with 308, but was done',
    fault: { ...AFTER, httpStatus: 308 },
    outcome: 'AMBIGUOUS',
    done: true,
  },
];

let network: FaultProxy;
/** Where redirects lead. */
let elsewhere: FaultProxy;
let played: PlayedStack;
let run: PlayedRun;

beforeAll(async () => {
  network = await startFaultProxy(() => played.stack.sandboxUrl);
  elsewhere = await startFaultProxy(() => played.stack.sandboxUrl);
  elsewhere.set({ kind: 'swallow' });
  played = await startPlayedStack(sharedFolder(), {
    BURSAR_API_BASE_URL: network.url,
    ...SHORT_WINDOW,
    // Longer than this machine ever stands still: nothing but what is held back is given up.
    BURSAR_API_REQUEST_TIMEOUT_MS: '20000',
  });
  const fates = ['0000', '0000'] as const;
  const location = `${elsewhere.url}${DEFAULT_ENDPOINTS.MASS_CREATE}`;
  run = await played.run({
    // The first chunk is the canary: it shows that a key can be looked up.
    chunks: [
      { fates },
      ...STORIES.map(({ fault }) => ({ fates, ...(fault && { fault: at(fault, location) }) })),
    ],
    before: (keys) =>
      network.set(
        ...STORIES.flatMap(({ onWay: kind }, i) =>
          kind === undefined ? [] : [{ kind, next: 1, hits: isCreateOf(keys[i + 1]) }],
        ),
      ),
  });
});
afterAll(async () => {
  await played.stop();
  await network.close();
  await elsewhere.close();
});

const at = (fault: object, location: string): object =>
  'httpStatus' in fault && String(fault.httpStatus).startsWith('3')
    ? { ...fault, location }
    : fault;

describe('after any fate of creates on their way, every row is paid once', () => {
  it('by outcome and ledger, row by row, and without an operator', async () => {
    expect([run.code, run.view.needsOperator]).toEqual([0, []]);
    expect(new Set(await run.outcomes())).toEqual(new Set(['PAID']));
    await expectEverythingTies(played.stack);
  });

  it.each(STORIES.map((story, i) => ({ ...story, chunk: i + 1 })))(
    'a create that $story',
    async ({ chunk, fault, onWay, outcome, done }) => {
      const key = run.keys[chunk] ?? '';
      const fired =
        fault === undefined ? network.fired(onWay ?? 'swallow') : await played.control.fired(key);
      expect(fired).toBe(1);
      const [first, ...others] = sendsOf(played.stack.folder, key);
      expect([first?.outcome, others.length === 0]).toEqual([outcome, done]);
      // What was refused for the pace alone need not wait for that.
      const fenceMs = outcome === 'THROTTLED' ? 0 : SHORT_WINDOW_FENCE_MS;
      const fencedMs = (first?.timestampMs ?? 0) + fenceMs;
      expect(others.filter(({ timestampMs }) => timestampMs < fencedMs)).toEqual([]);
    },
  );

  it('the target of a redirect never gets a request', () => {
    expect(elsewhere.fired('swallow')).toBe(0);
  });
});

describe('a service that takes no connection', () => {
  it('certainly got nothing: the create is sent again as soon as possible, and is never ambiguous', async () => {
    let sent = (): readonly WrittenAttempt[] => [];
    const paid = played.run({
      chunks: [{ fates: ['0000', '0000'] }],
      before: ([key = '']) => {
        sent = () => sendsOf(played.stack.folder, key);
        // At the plan the key is looked up by two operations.
        network.set({ kind: 'hold-answer', next: 1, hits: nthHit(3, isLookupOf(key)) });
      },
    });
    await eventually('its key is looked up', () => network.fired('hold-answer') === 1 || undefined);
    network.refuse();
    await network.release();
    await eventually(
      'it could not be sent',
      () => sent().at(-1)?.outcome === 'NOT_SENT' || undefined,
    );
    await network.accept();
    const { code, outcomes } = await paid;
    expect([code, await outcomes()]).toEqual([0, ['PAID', 'PAID']]);
    const attempts = sent().map(({ outcome }) => outcome);
    expect(attempts).toContain('NOT_SENT');
    expect([attempts.at(-1), attempts.includes('AMBIGUOUS')]).toEqual(['ACCEPTED', false]);
  });
});
