import type { z } from 'zod';
import { isNotifyEvent, NOTIFY_EVENTS } from '../domain/notify/events.ts';
import { nearest } from '../domain/text/nearest.ts';
import { smtpProblems } from './smtp-checks.ts';

/** A target of notifications as it stands in the settings. */
type GivenTarget = Readonly<{
  name: string;
  url?: string | undefined;
  secret_file?: unknown;
  command?: readonly string[] | undefined;
  chat?: string | undefined;
  smtp?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
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

const KINDS = ['url', 'command', 'chat', 'smtp'] as const;

function problemsOf(target: GivenTarget): Problem[] {
  const [kind = 'url', second] = KINDS.filter((key) => target[key] !== undefined);
  const unknown = target.events.filter((event) => !isNotifyEvent(event)).map(unknownEvent);
  if (second !== undefined) {
    return [{ key: second, says: `cannot stand beside ${kind}: one of the two` }, ...unknown];
  }
  const mailOnly = (['from', 'to'] as const)
    .filter((key) => kind !== 'smtp' && target[key] !== undefined)
    .map((key) => ({ key, says: 'is only for smtp' }));
  return [...PROBLEMS[kind](target), ...mailOnly, ...unknown];
}

const PROBLEMS = {
  url: urlProblems,
  command: ({ secret_file }: GivenTarget): Problem[] =>
    secret_file === undefined ? [] : [{ key: 'secret_file', says: 'is not for a command' }],
  chat: ({ secret_file }: GivenTarget): Problem[] =>
    secret_file === undefined
      ? [{ key: 'secret_file', says: 'is needed: it holds the address of the channel' }]
      : [],
  smtp: mailProblems,
};

function urlProblems({ url, secret_file }: GivenTarget): Problem[] {
  if (url === undefined) return [{ key: 'url', says: 'is needed, or a command, chat or smtp' }];
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

function mailProblems(target: GivenTarget): Problem[] {
  const needed = (['from', 'to'] as const)
    .filter((key) => target[key] === undefined)
    .map((key): Problem => ({ key, says: 'is needed for smtp' }));
  return [...needed, ...smtpProblems(target)];
}

function unknownEvent(event: string): Problem {
  const meant = nearest(event, Object.keys(NOTIFY_EVENTS));
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  return { key: 'events', says: `names an event that does not exist${hint}` };
}
