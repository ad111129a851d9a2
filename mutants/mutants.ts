import { AUTHORITY_MUTANTS } from './authority.ts';
import type { Mutant } from './mutant.ts';
import { TRUTH_MUTANTS } from './truth.ts';

const DECIDE = 'src/domain/sending/decide.ts';
const BRIDGE = 'src/bridge/main.ts';

/** Every mutant must be caught by the tests; one that is not is a hole in them. */
export const MUTANTS: readonly Mutant[] = [
  {
    name: 'blind-resend',
    does: 'sends again at once when nobody knows what became of a create',
    edits: [
      {
        file: DECIDE,
        find: 'if (blocksNextAttempt(record, policy)) return whileInDoubt(record, policy, nowMs);',
        replace: `const n = record.attempts.length + 1;
  if (isInDoubt(record) && n <= ATTEMPTS_MAX) return { kind: 'attempt', n };
  if (blocksNextAttempt(record, policy)) return whileInDoubt(record, policy, nowMs);`,
      },
    ],
    scenarios: ['idempotency-modes', 'ambiguous-creates'],
  },
  {
    name: 'no-fence',
    does: 'believes a lookup that misses while the create may still be accepted',
    edits: [
      {
        file: 'src/domain/sending/fence.ts',
        find: '  timestampWindowMs + Math.max(fenceMarginMs, LAG_FACTOR * lookupLagMs);',
        replace: '  -4 * (timestampWindowMs + Math.max(fenceMarginMs, LAG_FACTOR * lookupLagMs));',
      },
    ],
    scenarios: ['idempotency-modes', 'ambiguous-creates'],
  },
  {
    name: 'single-date',
    does: 'believes one Date of the service that the create can no longer be accepted',
    edits: [
      {
        file: 'src/domain/sending/fence.ts',
        find: '  const { elapsedMs, dates, serverMs } = evidence;\n  const isShown',
        replace:
          '  const { elapsedMs, dates, serverMs } = evidence;\n  const dateMs = lookup.serverDateMs ?? 0;\n  if (dateMs > fenceAtServerMs(openAttempts(record), policy)) return true;\n  const isShown',
      },
    ],
    scenarios: ['service-clocks'],
  },
  {
    name: 'sign-at-send',
    does: 'signs with the time of the send, and not with the one that was written down',
    edits: [
      {
        file: 'src/activities/send/attempt.ts',
        find: '    const answer = await deps.service.api.createMassPayout({ body }, { onLeave });',
        replace: `    const timestampMs = deps.nowMs();
    const text = body.bytes.toString('utf8').replace(String(body.timestampMs), String(timestampMs));
    const late = { ...body, timestampMs, bytes: Buffer.from(text) };
    const answer = await deps.service.api.createMassPayout({ body: late }, { onLeave });`,
      },
    ],
    scenarios: ['ambiguous-creates', 'idempotency-modes'],
  },
  {
    name: 'unlists-late',
    does: 'leaves an attempt on the unsent list when its request leaves',
    edits: [
      {
        file: 'src/activities/send/attempt.ts',
        find: '    if (unsentId !== undefined) deps.unsent.delete(unsentId);\n    hasLeft = true;',
        replace: '    hasLeft = true;',
      },
    ],
    scenarios: ['kill-points'],
  },
  {
    name: 'stale-group',
    does: 'decides each write of a group from the facts before the group',
    edits: [
      {
        file: 'src/store/chunk-writes/group-state.ts',
        find: '    const found = present.get(chunk);',
        replace: '    const found = read.chunks.get(chunk);',
      },
    ],
    scenarios: ['pay-a-file'],
  },
  {
    name: 'miss-is-failed',
    does: 'tells rows as not sent as soon as a lookup does not find their mass payout',
    edits: [
      {
        file: DECIDE,
        find: '  const beyond = beyondFence(',
        replace:
          "  if (lookups.some(({ result }) => result === 'missed')) return { kind: 'closed' };\n  const beyond = beyondFence(",
      },
    ],
    scenarios: ['ambiguous-creates', 'idempotency-modes'],
  },
  {
    name: 'float-sums',
    does: 'adds amounts up as JavaScript numbers',
    edits: [
      {
        file: 'src/domain/money/amount.ts',
        find: `  let units = 0n;
  let scale = 0;
  for (const amount of amounts) {
    if (amount.scale > scale) {
      units *= powerOfTen(amount.scale - scale);
      scale = amount.scale;
    }
    units += unitsAt(amount, scale);
  }
  return canonical(units, scale);`,
        replace: `  let sum = 0;
  for (const { units, scale } of amounts) sum += Number(units) / 10 ** scale;
  return canonical(BigInt(Math.round(sum * 1e8)), 8);`,
      },
    ],
    scenarios: ['pay-a-file'],
  },
  {
    name: 'no-spool',
    does: 'answers a webhook with 200 before it is safe',
    edits: [
      {
        file: 'src/bridge/server.ts',
        find: '        await spool.append(body, clock.nowMs());',
        replace: '        void spool.append(body, clock.nowMs()).catch(() => undefined);',
      },
    ],
    scenarios: ['webhooks', 'webhook-care'],
  },
  {
    name: 'trusts-webhooks',
    does: 'calls rows paid because a webhook says COMPLETED, without a signed read',
    edits: [
      {
        file: BRIDGE,
        find: "import { createSpool, SHARED_SPOOL_LIMITS, SPOOL_LIMITS } from '../store/webhooks/spool.ts';",
        replace: `import { createSpool, SHARED_SPOOL_LIMITS, SPOOL_LIMITS } from '../store/webhooks/spool.ts';
import { createChunkWriter } from '../store/chunk-writes/writer.ts';
import { createSettlementStore } from '../store/settlement/settlements.ts';`,
      },
      {
        file: BRIDGE,
        find: '    spool: measuredSpool(spool, observerOf(admin.meters, trail)),',
        replace: '    spool: measuredSpool(believed, observerOf(admin.meters, trail)),',
      },
      {
        file: BRIDGE,
        find: '  const forwarder = createForwarder({',
        replace: `  const settlements = createSettlementStore(
    store.db,
    createChunkWriter(store.decide, clock.nowMs),
  );
  const paid = {
    ...{ massPayoutState: 'COMPLETED', defaultOutcome: { outcome: 'PAID', reason: '' }, final: true } as const,
    ...{ rows: [], fee: null, unclearSinceMs: null, keepsLookups: false, payoutFingerprint: null, reopened: 0 },
  };
  const believed = {
    ...spool,
    async next(limit: number, after: number) {
      const page = await spool.next(limit, after);
      for (const { body } of page) {
        const text = Buffer.from(body).toString('utf8');
        if (!text.includes('COMPLETED')) continue;
        const ids = text.match(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g) ?? [];
        for (const at of await createRoutes(store.db).find(ids)) await settlements.save(at, paid);
      }
      return page;
    },
  };
  const forwarder = createForwarder({`,
      },
    ],
    scenarios: ['forged-webhooks', 'webhooks', 'fates', 'pay-a-file'],
  },
  {
    name: 'resends-all',
    does: 'offers every row of a mass payout that ended to be paid again',
    edits: [
      {
        file: 'src/domain/lineage/lineage.ts',
        find: "  isEnd && (outcome === 'FAILED' || outcome === 'NOT_SENT');",
        replace: "  isEnd && outcome !== 'IN_FLIGHT';",
      },
    ],
    scenarios: ['resend', 'fates'],
  },
  {
    name: 'no-tie-out',
    does: 'writes reports that do not add up to the file',
    edits: [
      {
        file: 'src/domain/report/totals.ts',
        find: `  const broken = (difference: string): never => {
    throw new BursarError('TIE_OUT_BROKEN', { batchId, difference });
  };`,
        replace: `  const broken = (difference: string): void => {
    if (difference === '') throw new BursarError('TIE_OUT_BROKEN', { batchId, difference });
  };`,
      },
    ],
    scenarios: ['pay-a-file'],
  },
  {
    name: 'no-pause-for-witness',
    does: 'asks a second time at once for a mass payout that was only just accepted',
    edits: [
      {
        file: 'src/activities/service/verify-lookups.ts',
        find: '  await pause(Math.max(SECOND_LOOKUP_MS, LAG_FACTOR * (verified?.lagMs ?? 0)));',
        replace:
          '  await pause(0 * Math.max(SECOND_LOOKUP_MS, LAG_FACTOR * (verified?.lagMs ?? 0)));',
      },
    ],
    scenarios: ['service-modes'],
  },
  {
    name: 'garbage-disproves',
    does: 'takes an answer that cannot be read for proof that lookups find nothing',
    edits: [
      {
        file: 'src/activities/service/verify-lookups.ts',
        find: "  if (missed(first) === undefined) return { kind: isWhole(first) ? 'found' : 'failed' };",
        replace: `  if (missed(first) === undefined && isWhole(first)) return { kind: 'found' };
  if (missed(first) === undefined) return { kind: 'lost', operation: first.operation };`,
      },
    ],
    scenarios: ['garbage'],
  },
  {
    name: 'garbage-is-absence',
    does: 'counts a miss though another lookup that has worked gave no readable answer',
    edits: [
      {
        file: 'src/activities/service/lookup.ts',
        find: "    const isBroken = lookup.result === 'failed' || (hasWorked && lookup.result === 'unavailable');",
        replace:
          "    const isBroken = lookup.result === 'failed' && hasWorked === api.hasOperation(operation);",
      },
    ],
    scenarios: ['garbage'],
  },
  {
    name: 'one-miss',
    does: 'sends again after a single miss',
    edits: [
      {
        file: 'src/domain/sending/evidence.ts',
        find: '  if (missed.length >= MISSES_MIN && apartMs(first, last) >= spreadMs) return undefined;',
        replace: '  if (missed.length > 0) return undefined;',
      },
    ],
    scenarios: ['ambiguous-creates'],
  },
  {
    name: 'silent-second',
    does: 'takes the second mass payout of a chunk for the first',
    edits: [
      {
        file: 'src/domain/sending/reduce.ts',
        find: '  if (others.includes(seen.id)) return undefined;',
        replace: '  if (others.length === 0) return { payout: seen };',
      },
    ],
    scenarios: ['wrong-lookup'],
  },
  {
    name: 'forgives-lookups',
    does: 'believes lookups again after they contradicted themselves',
    edits: [
      {
        file: 'src/store/sending/lookup-verification.ts',
        find: 'const verified = disproof === undefined ? await findVerified(db, account, lookupName) : undefined;',
        replace: 'const verified = await findVerified(db, account, lookupName);',
      },
      {
        file: DECIDE,
        find: "  if (policy.distrusted === true) return { kind: 'needs-operator', reason: 'LOOKUP_DISPROVEN' };\n",
        replace: '',
      },
    ],
    scenarios: ['service-modes'],
  },
  ...AUTHORITY_MUTANTS,
  ...TRUTH_MUTANTS,
];
