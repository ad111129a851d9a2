import type { z } from 'zod';
import { isNotifyEvent, NOTIFY_EVENTS } from '../domain/notify/events.ts';
import { nearest } from './nearest.ts';

/** A target of notifications as it stands in the settings. */
type GivenTarget = Readonly<{
  name: string;
  url?: string | undefined;
  secret_file?: unknown;
  command?: readonly string[] | undefined;
  events: readonly string[];
}>;

/** Names the faults in the targets of notifications, each with its path and never with its value. */
export function checkTargets(
  { targets }: Readonly<{ targets: readonly GivenTarget[] }>,
  context: z.RefinementCtx,
): void {
  for (const [index, target] of targets.entries()) {
    const isTwice = targets.findIndex(({ name }) => name === target.name) < index;
    const problems = isTwice ? [{ key: 'name', says: 'is the name of two targets' }] : [];
    for (const { key, says } of [...problems, ...problemsOf(target)]) {
      context.addIssue({ code: 'custom', path: ['targets', index, key], message: says });
    }
  }
}

type Problem = Readonly<{ key: keyof GivenTarget; says: string }>;

const problemsOf = (target: GivenTarget): Problem[] => [
  ...(target.command === undefined ? urlProblems(target) : commandProblems(target)),
  ...target.events.filter((event) => !isNotifyEvent(event)).map(unknownEvent),
];

function urlProblems({ url, secret_file }: GivenTarget): Problem[] {
  if (url === undefined) return [{ key: 'url', says: 'is needed, or a command' }];
  const { username, password } = new URL(url);
  return [
    ...(username === '' && password === ''
      ? []
      : [{ key: 'url', says: 'must not hold a name or a password' } as const]),
    ...(secret_file === undefined
      ? [{ key: 'secret_file', says: 'is needed: whoever receives must be able to check' } as const]
      : []),
  ];
}

function commandProblems({ url, secret_file }: GivenTarget): Problem[] {
  return [
    ...(url === undefined
      ? []
      : [{ key: 'command', says: 'cannot stand beside url: one of the two' } as const]),
    ...(secret_file === undefined
      ? []
      : [{ key: 'secret_file', says: 'is only for a url' } as const]),
  ];
}

function unknownEvent(event: string): Problem {
  const meant = nearest(event, Object.keys(NOTIFY_EVENTS));
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  return { key: 'events', says: `names an event that does not exist${hint}` };
}
