import { PAYOUT_STATES, type PayoutState, type EventType } from '@bursar/merchant-api/spec';
import { type ConformanceCheck, type RunMeans, met, notSeen, type CheckVerdict } from '../check.ts';
import { demand, demandEqual, fieldOf } from '../expect.ts';
import { demandWait } from '../waiting.ts';
import type { CheckRun } from '../run.ts';
import {
  decidedPayout,
  dueMsOf,
  ENDS,
  failedPayout,
  hasWebhook,
  invalidPayout,
  isReadBeforeItsDate,
  paidPayout,
  partialPayout,
  resentPayout,
  type PayoutHistory,
} from '../scenarios/payouts.ts';

const SECTION = 'States and transitions';
const PAYS = ['MASS_CREATE', 'MASS_GET', 'payments'] as const;
const LISTENS = ['WEBHOOK_CREATE', 'objects', 'receiver'] as const;

/** A row of the table of moves. */
type MoveCheck = Readonly<{
  id: string;
  /** Trigger and condition, as the table has them. */
  trigger: string;
  state: PayoutState | null;
  event: EventType;
  needs: readonly RunMeans[];
  history(run: CheckRun): Promise<PayoutHistory>;
}>;

const MOVES: readonly MoveCheck[] = [
  {
    id: 'created',
    trigger: 'mass payout create request accepted',
    state: 'CREATION_IN_PROGRESS',
    event: 'PAYOUT_CHANGE_STATUS',
    needs: [],
    history: paidPayout,
  },
  {
    id: 'pending',
    trigger: 'creation continues, payout verification is enabled',
    state: 'PENDING_CONFIRMATION',
    event: 'PAYOUT_CHANGE_STATUS',
    needs: ['person'],
    history: (run) => decidedPayout(run, 'confirm'),
  },
  {
    id: 'confirmed',
    trigger: 'PENDING_CONFIRMATION, payout confirmed',
    state: 'CONFIRMED',
    event: 'PAYOUT_CONFIRMED',
    needs: ['person'],
    history: (run) => decidedPayout(run, 'confirm'),
  },
  {
    id: 'declined',
    trigger: 'PENDING_CONFIRMATION, payout declined',
    state: 'CANCELED',
    event: 'PAYOUT_CHANGE_STATUS',
    needs: ['person'],
    history: (run) => decidedPayout(run, 'decline'),
  },
  {
    id: 'automatic',
    trigger: 'a payout created through the API, automatically',
    state: 'CONFIRMED',
    event: 'PAYOUT_CHANGE_STATUS',
    needs: [],
    history: paidPayout,
  },
  {
    id: 'in-progress',
    trigger: 'payout request processed',
    state: 'IN_PROGRESS',
    event: 'PAYOUT_CHANGE_STATUS',
    needs: [],
    history: paidPayout,
  },
  {
    id: 'invalid',
    trigger: 'validation before creation on the network fails',
    state: null,
    event: 'PAYOUT_VALIDATION_ERROR',
    needs: ['invalid-address'],
    history: invalidPayout,
  },
  {
    id: 'failed',
    trigger: 'payout has an issue and is not processed',
    state: 'FAILED',
    event: 'PAYOUT_CHANGE_STATUS',
    needs: ['failing-address'],
    history: failedPayout,
  },
  {
    id: 'partial',
    trigger: 'one or more payouts of the list fail',
    state: 'PARTIAL',
    event: 'PAYOUT_CHANGE_STATUS',
    needs: ['failing-address'],
    history: partialPayout,
  },
  {
    id: 'completed',
    trigger: 'successful payment',
    state: 'COMPLETED',
    event: 'PAYOUT_CHANGE_STATUS',
    needs: [],
    history: paidPayout,
  },
];

function stateCheck({
  id,
  trigger,
  state,
  needs,
  history,
}: MoveCheck): readonly ConformanceCheck[] {
  if (state === null) return [];
  return [
    {
      id: `moves.${id}.state`,
      section: SECTION,
      sentence: `${trigger}: next state ${state}.`,
      needs: [...PAYS, ...needs],
      try: async (run) => stateVerdict(run, await history(run), state),
    },
  ];
}

/** A short state may pass between two snapshots. Webhooks announce it, too. */
async function stateVerdict(
  run: CheckRun,
  history: PayoutHistory,
  state: PayoutState,
): Promise<CheckVerdict> {
  const states = [
    fieldOf(history.payout.record, 'state'),
    ...history.snapshots.map((snapshot) => snapshot.state),
  ];
  if (states.includes(state)) return met();
  const isEnd = ENDS.includes(state);
  if (!isEnd && run.receiver === null) return notSeen('not seen; it may have been short');
  const last = states.at(-1);
  if (isEnd && !ENDS.includes(String(last))) demandWait(run, `it was still ${String(last)}`);
  const isAnnounced =
    !isEnd && (await hasWebhook(run, history.payout, ['PAYOUT_CHANGE_STATUS', state]));
  if (!isEnd && !isAnnounced) demandWait(run, `state ${state} was not announced`);
  demand(isAnnounced, `state ${state}`, [...new Set(states)].join(' -> '));
  return met('seen in a webhook');
}

const eventCheck = ({ id, trigger, state, event, needs, history }: MoveCheck): ConformanceCheck => {
  // Only the change of status must carry the new state.
  const texts = event === 'PAYOUT_CHANGE_STATUS' && state !== null ? [event, state] : [event];
  return {
    id: `moves.${id}.event`,
    section: SECTION,
    sentence: `${trigger}: event ${texts.join(' with state ')}.`,
    needs: [...PAYS, ...LISTENS, ...needs],
    try: async (run) => {
      const { payout } = await history(run);
      const has = await hasWebhook(run, payout, texts);
      if (!has) demandWait(run, `no webhook with ${texts.join(' and ')} came`);
      demand(has, `a webhook with ${texts.join(' and ')}`, 'none that names the payout');
      return met();
    },
  };
};

export const moveChecks: readonly ConformanceCheck[] = [
  ...MOVES.flatMap((move) => [...stateCheck(move), eventCheck(move)]),
  {
    id: 'moves.confirmed.change-event',
    section: SECTION,
    sentence: 'Each move that changes state emits PAYOUT_CHANGE_STATUS: a confirmation, too.',
    needs: [...PAYS, ...LISTENS, 'person'],
    try: async (run) => {
      const { payout } = await decidedPayout(run, 'confirm');
      const has = await hasWebhook(run, payout, ['PAYOUT_CHANGE_STATUS', 'CONFIRMED']);
      if (!has) demandWait(run, 'no webhook with PAYOUT_CHANGE_STATUS and CONFIRMED came');
      demand(has, 'a webhook with PAYOUT_CHANGE_STATUS and CONFIRMED', 'none');
      return met();
    },
  },
  {
    id: 'moves.states',
    section: SECTION,
    sentence: `Payout states: ${PAYOUT_STATES.join(', ')}.`,
    needs: PAYS,
    try: async (run) => {
      const states = (await paidPayout(run)).snapshots.map(({ state }) => state);
      const wrong = states.find((state) => !(PAYOUT_STATES as readonly string[]).includes(state));
      demand(wrong === undefined, 'documented states', wrong);
      return met([...new Set(states)].join(' -> '));
    },
  },
  {
    id: 'moves.resent',
    section: SECTION,
    sentence: 'Failed transactions of a PARTIAL mass payout can be resent in the user interface.',
    needs: [...PAYS, 'failing-address', 'person'],
    try: async (run) => {
      const { last } = await resentPayout(run);
      if (fieldOf(last, 'state') !== 'COMPLETED') demandWait(run, 'it was not COMPLETED');
      demandEqual('state', fieldOf(last, 'state'), 'COMPLETED');
      return met();
    },
  },
  {
    id: 'moves.execution-date',
    section: 'Payout',
    sentence: 'A mass payout is not sent before its executionDate.',
    needs: PAYS,
    try: async (run) => {
      const history = await paidPayout(run);
      const untilMs = dueMsOf(history) - clocksMs(run);
      const early = history.snapshots.find(({ state, atMs }) => isSent(state) && atMs < untilMs);
      demand(early === undefined, 'no sending before the date', early?.state);
      return isReadBeforeItsDate(history) ? met() : notSeen('no read came before the date');
    },
  },
];

const isSent = (state: string): boolean => state === 'IN_PROGRESS' || ENDS.includes(state);

/**
 * The possible difference between the service's clock and ours, in milliseconds. A sandbox uses the
 * same clock.
 */
const clocksMs = ({ speed }: CheckRun): number => (speed > 1 ? 50 : 2_000);
