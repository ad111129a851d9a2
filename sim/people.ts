import type { OperatorAnswer } from '../src/domain/sending/send-record.ts';
import type { Engine } from './engine/engine.ts';
import type { SimChunk } from './engine/store.ts';

const MINUTE_MS = 60_000;

/** An operator who is asked about a chunk looks into the service's own interface, and says what they see there. */
export const createOperator = ({ world, service, store }: Engine) => ({
  ask(chunk: SimChunk, answered: () => void): void {
    const { agenda, random } = world;
    agenda.after(random.between(MINUTE_MS, 30 * MINUTE_MS), () => {
      const { send } = store.facts(chunk.key);
      const atMs = world.clocks.wallMs();
      const attempts = send.record.attempts.length;
      const [seen] = service.seenByPerson(chunk.key);
      const givesUp = random.happens(0.3);
      let answer: OperatorAnswer = { kind: 'abandon', atMs };
      if (seen !== undefined && !givesUp && seen.body === chunk.body) {
        answer = { kind: 'adopt', massPayoutId: seen.id, atMs };
      }
      // What is in doubt may only be cleared when nothing is on its way any more, and nothing is there.
      if (seen === undefined && !givesUp) answer = { kind: 'not-created', attempts, atMs };
      if (store.apply(chunk.key, { kind: 'answered', answer })) world.count(SIGHT_OF[answer.kind]);
      answered();
    });
  },
});

const SIGHT_OF = {
  adopt: 'adopted by a person',
  'not-created': 'cleared by a person',
  abandon: 'given up by a person',
} as const;
