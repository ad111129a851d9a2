import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createTable } from '../../src/cli/terminal/table.ts';
import { deadlineText, fromNowText, instantText } from '../../src/operations/text/instants.ts';
import { shownPath } from '../../src/operations/text/shown-path.ts';
import { printable } from '../../src/cli/terminal/printable.ts';
import { createTalk } from '../../src/cli/terminal/terminal.ts';
import { anyText } from '../support/any-text.ts';
import { fakeTerminal } from './support/fake-terminal.ts';

describe('talk', () => {
  it('puts a live line aside for a line that stays', () => {
    const { err, said } = fakeTerminal({ isTty: true });
    const talk = createTalk(err);
    talk.show('1 of 3');
    talk.say('done');
    talk.clear();
    expect(said()).toBe('\r\u001B[2K1 of 3\r\u001B[2Kdone\n');
  });

  it('shows no live line without a terminal', () => {
    const { err, said } = fakeTerminal();
    createTalk(err).show('1 of 3');
    expect(said()).toBe('');
  });

  it('never lets a live line wrap', () => {
    const { err, said } = fakeTerminal({ isTty: true });
    createTalk({ ...err, columns: 5 }).show('1234567890');
    expect(said()).toBe('\r\u001B[2K1234');
  });
});

describe('a foreign text', () => {
  it.each<{ text: string; shown: string }>`
    text             | shown
    ${'Zoë 東京 🎉'} | ${'Zoë 東京 🎉'}
    ${'\u001B[31m'}  | ${'\\u{1b}[31m'}
    ${'a\nb'}        | ${'a\\u{a}b'}
    ${'x\u202Ey'}    | ${'x\\u{202e}y'}
    ${'\u200B'}      | ${'\\u{200b}'}
  `('is shown as $shown', ({ text, shown }) => {
    expect(printable(text)).toBe(shown);
  });

  it('can never drive the terminal', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(printable(text)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      }),
    );
  });
});

describe('an instant', () => {
  it.each<{ timeZone: string; text: string }>`
    timeZone              | text
    ${'UTC'}              | ${'2026-12-01 09:00:00 UTC'}
    ${'Europe/Berlin'}    | ${'2026-12-01 10:00:00 Europe/Berlin (2026-12-01 09:00:00 UTC)'}
    ${'America/New_York'} | ${'2026-12-01 04:00:00 America/New_York (2026-12-01 09:00:00 UTC)'}
    ${'Asia/Kolkata'}     | ${'2026-12-01 14:30:00 Asia/Kolkata (2026-12-01 09:00:00 UTC)'}
  `('is shown in $timeZone and in UTC', ({ timeZone, text }) => {
    expect(instantText('2026-12-01T09:00:00Z', { timeZone })).toBe(text);
  });
});

describe('a deadline', () => {
  const clock = {
    timeZone: 'UTC',
    nowMs: () => Date.parse('2026-11-29T09:30:00Z'),
    pause: async () => undefined,
  };

  it.each<{ instant: string; far: string }>`
    instant                   | far
    ${'2026-12-01T10:00:00Z'} | ${'in 2 days'}
    ${'2026-11-30T09:30:00Z'} | ${'in 1 day'}
    ${'2026-11-30T09:29:59Z'} | ${'in 23 hours'}
    ${'2026-11-29T09:31:30Z'} | ${'in 1 minute'}
    ${'2026-11-29T09:30:59Z'} | ${'now'}
    ${'2026-11-29T09:29:01Z'} | ${'now'}
    ${'2026-11-29T06:00:00Z'} | ${'3 hours ago'}
  `('at $instant is $far', ({ instant, far }) => {
    expect(fromNowText(instant, clock)).toBe(far);
  });

  it('has its instant first', () => {
    expect(deadlineText('2026-12-01T10:00:00Z', clock)).toBe('2026-12-01 10:00:00 UTC, in 2 days');
  });
});

describe('a table', () => {
  it('pads a cell before it is painted', () => {
    const table = createTable([
      { title: 'STATE', width: 6 },
      { title: 'ID', width: 0 },
    ]);
    expect(table.row([{ text: 'Paid', paint: (text) => `<${text}>` }, 'x'])).toBe('<Paid  >  x');
  });
});

describe('a path', () => {
  it.each<{ path: string; shown: string }>`
    path             | shown
    ${'/a/b/runs/x'} | ${'runs/x'}
    ${'/a/c'}        | ${'/a/c'}
    ${'/a/b'}        | ${'/a/b'}
  `('$path is shown from /a/b as $shown', ({ path, shown }) => {
    expect(shownPath(path, '/a/b')).toBe(shown);
  });
});
