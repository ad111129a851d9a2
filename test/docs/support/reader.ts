import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pauseAfterLook } from '../../support/eventually.ts';
import { leadMsAt } from '../../support/lead-time.ts';
import { createLikeness } from './likeness.ts';
import type { ActStep, CommandStep, FileStep, Step } from './read-book.ts';
import { type Ended, openTerminals } from './terminal.ts';

/** The minute that the book chooses for a schedule; its reader chooses one that comes soon. */
const MINUTE_OF_BOOK = '31 9 * * *';

/** How many commands its reader types before it. */
const COMMANDS_BEFORE = 3;

/** Commands that only look: their reader looks again until they show what the book shows. */
const LOOKING =
  /^(npx bursar (status|inbox|funds|rows|explain|schedule show|sandbox payouts)|tail)\b/;

/** How long a reader looks again, in milliseconds. */
const PATIENCE_MS = 300_000;

/** Somebody who does in an empty folder what a run book says, and holds what they see against it. */
export function createReader(folder: string) {
  const likeness = createLikeness();
  const terminals = openTerminals(folder);
  const files = new Map<string, string>();
  const commands: string[] = [];
  let dueMs = 0;
  let lastLookMs = 0;

  function make({ path, text }: FileStep): void {
    const place = join(folder, likeness.translated(path));
    const own = likeness.translated(text);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, own);
    files.set(path, own);
  }

  async function type(step: CommandStep): Promise<void> {
    const { command, shown } = step;
    if (command.includes(MINUTE_OF_BOOK) && dueMs === 0) {
      dueMs = Math.ceil((Date.now() + leadMsAt(lastLookMs, COMMANDS_BEFORE)) / 60_000) * 60_000;
      const due = new Date(dueMs);
      likeness.learn(MINUTE_OF_BOOK, `${due.getUTCMinutes()} ${due.getUTCHours()} * * *`);
    }
    const own = likeness.translated(command);
    commands.push(own);
    const isUp = /^npx bursar up\b/.test(command);
    const look = async (): Promise<Ended> =>
      isUp ? { code: 0, printed: await terminals.startUp() } : terminals.type(own);
    const isRight = ({ code, printed }: Ended): boolean =>
      code === step.code && (shown === null || likeness.fits(shown, printed));
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const startedMs = performance.now();
      const ended = await look();
      const lookMs = performance.now() - startedMs;
      if (LOOKING.test(command)) lastLookMs = lookMs;
      if (isRight(ended)) return;
      if (!LOOKING.test(command) || Date.now() > deadline) throw surprise(step, own, ended);
      await pauseAfterLook(lookMs);
    }
  }

  const ACTS: readonly (readonly [RegExp, (found: RegExpExecArray) => Promise<void>])[] = [
    [/^Ctrl-C in the terminal of bursar up$/, terminals.stopUp],
    [
      /^wait until (\d+) seconds after 09:31 UTC$/,
      ([, seconds]) => sleep(Math.max(0, dueMs + Number(seconds) * 1_000 - Date.now())),
    ],
  ];

  async function act({ line, act: wanted }: ActStep): Promise<void> {
    for (const [like, doIt] of ACTS) {
      const found = like.exec(wanted);
      if (found !== null) return doIt(found);
    }
    throw new Error(`line ${line} of the run book: nobody knows how to "${wanted}"`);
  }

  return {
    /** Files that were made, by the names that the book gives them. */
    files: files as ReadonlyMap<string, string>,
    /** Commands that were typed, in order. */
    commands: commands as readonly string[],
    sandboxUrl: (): string => terminals.copied()['BURSAR_API_BASE_URL'] ?? '',
    /** Does one step; throws when anything is not as the book says. */
    async follow(step: Step): Promise<void> {
      if (step.kind === 'file') make(step);
      else if (step.kind === 'command') await type(step);
      else await act(step);
    },
    stop: terminals.stopUp,
  };
}

const surprise = ({ line, code, shown }: CommandStep, typed: string, ended: Ended): Error =>
  new Error(
    [
      `line ${line} of the run book: ${typed}`,
      `ended with ${ended.code}; the book says ${code}`,
      ...(shown === null ? [] : ['the book shows', shown]),
      'it printed',
      ended.printed,
    ].join('\n'),
  );
