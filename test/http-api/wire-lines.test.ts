import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { createLineSender } from '../../src/http-api/wire-lines.ts';

/** A stream that holds one short line, and its sender. */
function stalled() {
  const lines = new PassThrough({ highWaterMark: 16 });
  return { lines, ...createLineSender(lines) };
}

/** Everything that comes when the reader reads again. */
async function read(lines: PassThrough): Promise<unknown[]> {
  let text = '';
  for await (const part of lines) text += String(part);
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

describe('progress for a reader that stalls', () => {
  it('is replaced by newer progress, and lines that stay and the result all arrive in order', async () => {
    const { lines, out, progress } = stalled();
    progress.say('begun: the first line fills the stream');
    for (let row = 1; row <= 100_000; row += 1) progress.show(`row ${row}`);
    progress.say('all rows are read');
    progress.show('row 100001');
    expect(lines.writableLength).toBeLessThan(100);
    const sent = out({ result: { rows: 100_001 } }).then(() => lines.end());
    expect(await read(lines)).toEqual([
      { say: 'begun: the first line fills the stream' },
      { say: 'all rows are read' },
      { show: 'row 100001' },
      { result: { rows: 100_001 } },
    ]);
    await sent;
  });

  it('ends with the removal of the shown line, where that was last', async () => {
    const { lines, progress } = stalled();
    progress.say('the first line fills the stream');
    progress.show('row 1');
    progress.clear();
    lines.once('drain', () => setImmediate(() => lines.end()));
    expect(await read(lines)).toEqual([
      { say: 'the first line fills the stream' },
      { clear: true },
    ]);
  });

  it('has a limit also where its lines stay: the oldest are left out', async () => {
    const { lines, out, progress } = stalled();
    progress.say('the first line fills the stream');
    for (let n = 1; n <= 5_000; n += 1) progress.say(`line ${n}`);
    const sent = out({ end: true }).then(() => lines.end());
    const all = await read(lines);
    await sent;
    expect([all.length, all[1], all.at(-2), all.at(-1)]).toEqual([
      1_002,
      { say: 'line 4001' },
      { say: 'line 5000' },
      { end: true },
    ]);
  });

  it('goes nowhere when the reader has gone, and its result is refused', async () => {
    const { lines, out, progress } = stalled();
    lines.destroy();
    progress.show('row 1');
    await expect(out({ result: {} })).rejects.toThrow('the caller has gone');
    expect(lines.writableLength).toBe(0);
  });
});
