import { PAYOUT_STATES, type PayoutState, type EventType } from '@bursar/merchant-api/spec';
import { type Check, type Means, met, notSeen, type Verdict } from '../check.ts';
import { demand, demandEqual, fieldOf } from '../expect.ts';
import type { Run } from '../run.ts';
import {
  decidedStory,
  ENDS,
  failedStory,
  hasWebhook,
  invalidStory,
  paidStory,
  partialStory,
  resentStory,
  type Story,
} from '../scenes/payouts.ts';

const SECTION = 'States and transitions';
const PAYS = ['MASS_CREATE', 'MASS_GET', 'payments'] as const;
const LISTENS = ['WEBHOOK_CREATE', 'objects', 'receiver'] as const;

/** A row of the table of moves. */
type Move = Readonly<{
  id: string;
  /** Trigger and condition, in the words of the table. */
  trigger: string;
  state: PayoutState | null;
  event: EventType;
  needs: readonly Means[];
  story(run: Run): Promise<Story>;
}>;

const MOVES: readonly Move[] = [
  {
    id: 'created',
    trigger: 'mass payout create request accepted',
    state: 'CREATION_IN_PROGRESS',
    event: 'PAYOUT_CHANGE_STATUS',
    needs: [],
    story: paidStory,
  },
  {
    id: 'pending',
    trigger: 'creation continues, payout verification is enabled',
    state: 'PENDING_CONFIRMATION',
    event: 'PAYOUT_CHANGE_STATUS',
    needs: ['person'],
    story: (run) => decidedStory(run, 'confirm'),
  },
  {
    id: 'confirmed',
    trigger: 'PENDING_CONFIRMATION, payout confirmed',
    state: 'CONFIRMED',
    event: 'PAYOUT_CONFIRMED',
    needs: ['person'],
    story: (run) => decidedStory(run, 'confirm'),
  },
  {
    id: 'declined',
    trigger: 'PENDING_CONFIRMATION, payout declined',
    state: 'CANCELED',
    event: 'PAYOUT_CHANGE_STATUS',
    needs: ['person'],
    story: (run) => decidedStory(run, 'decline'),
  },
  {
    id: 'automatic',
    trigger: 'a payout created through the API, automatically',
    state: 'CONFIRMED',
    event: 'PAYOUT_CHANGE_STATUS',
    needs: [],
    story: paidStory,
  },
  {
    id: 'in-progress',
    trigger: 'payout request processed',
    state: 'IN_PROGRESS',
    event: 'PAYOUT_CHANGE_STATUS',
    needs: [],
    story: paidStory,
  },
  {
    id: 'invalid',
    trigger: 'validation before creation on the network fails',
    state: null,
    event: 'PAYOUT_VALIDATION_ERROR',
    needs: ['invalid-address'],
    story: invalidStory,
  },
  {
    id: 'failed',
    trigger: 'payout has an issue and is not processed',
    state: 'FAILED',
    event: 'PAYOUT_CHANGE_STATUS',
    needs: ['failing-address'],
    story: failedStory,
  },
  {
    id: 'partial',
    trigger: 'one or more payouts of the list fail',
    state: 'PARTIAL',
    event: 'PAYOUT_CHANGE_STATUS',
    needs: ['failing-address'],
    story: partialStory,
  },
  {
    id: 'completed',
    trigger: 'successful payment',
    state: 'COMPLETED',
    event: 'PAYOUT_CHANGE_STATUS',
    needs: [],
    story: paidStory,
  },
];

function stateCheck({ id, trigger, state, needs, story }: Move): readonly Check[] {
  if (state === null) return [];
  return [
    {
      id: `moves.${id}.state`,
      section: SECTION,
      sentence: `${trigger}: next state ${state}.`,
      needs: [...PAYS, ...needs],
      try: async (run) => stateVerdict(run, await story(run), state),
    },
  ];
}

/** A state in which a payout does not stay may lie between two looks; webhooks tell of it. */
async function stateVerdict(run: Run, story: Story, state: PayoutState): Promise<Verdict> {
  const states = [fieldOf(story.payout.record, 'state'), ...story.looks.map((look) => look.state)];
  if (states.includes(state)) return met();
  const isEnd = ENDS.includes(state);
  if (!isEnd && run.receiver === null) return notSeen('not seen; it may have been short');
  const isTold = !isEnd && (await hasWebhook(run, story.payout, ['PAYOUT_CHANGE_STATUS', state]));
  demand(isTold, `state ${state}`, [...new Set(states)].join(' -> '));
  return met('seen in a webhook');
}

const eventCheck = ({ id, trigger, state, event, needs, story }: Move): Check => {
  // Only the change of status is said to carry the new state.
  const texts = event === 'PAYOUT_CHANGE_STATUS' && state !== null ? [event, state] : [event];
  return {
    id: `moves.${id}.event`,
    section: SECTION,
    sentence: `${trigger}: event ${texts.join(' with state ')}.`,
    needs: [...PAYS, ...LISTENS, ...needs],
    try: async (run) => {
      const { payout } = await story(run);
      const has = await hasWebhook(run, payout, texts);
      demand(has, `a webhook with ${texts.join(' and ')}`, 'none that names the payout');
      return met();
    },
  };
};

export const moveChecks: readonly Check[] = [
  ...MOVES.flatMap((move) => [...stateCheck(move), eventCheck(move)]),
  {
    id: 'moves.confirmed.change-event',
    section: SECTION,
    sentence: 'Each move that changes state emits PAYOUT_CHANGE_STATUS: a confirmation, too.',
    needs: [...PAYS, ...LISTENS, 'person'],
    try: async (run) => {
      const { payout } = await decidedStory(run, 'confirm');
      const has = await hasWebhook(run, payout, ['PAYOUT_CHANGE_STATUS', 'CONFIRMED']);
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
      const states = (await paidStory(run)).looks.map(({ state }) => state);
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
      const { last } = await resentStory(run);
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
      const { payout, looks } = await paidStory(run);
      const dueMs = Date.parse(String(payout.payload['executionDate']));
      const early = looks.find(({ state, atMs }) => isSent(state) && atMs < dueMs - clocksMs(run));
      demand(early === undefined, 'no sending before the date', early?.state);
      demand(
        looks.some(({ atMs }) => atMs < dueMs),
        'a look before the date',
        'none',
      );
      return met();
    },
  },
];

const isSent = (state: string): boolean => state === 'IN_PROGRESS' || ENDS.includes(state);

/** By how much the clock of the service may differ from ours, in milliseconds; a sandbox has the same. */
const clocksMs = ({ speed }: Run): number => (speed > 1 ? 50 : 1_000);
