/**
 * Cuts a file into cells with Papa Parse and nothing else, and prints how long it took:
 * `node measure-parser.js FILE`. This is its quickest way: its low-level parser in a loop of our own, over text that was
 * decoded before, with delimiter and line end given.
 */
import { createReadStream } from 'node:fs';
import { parseArgs } from 'node:util';
import papaparse from 'papaparse';
import { READ_BYTES } from '../../src/ingest/limits.ts';
import type { Measured } from './measured.ts';

const [path = ''] = parseArgs({ allowPositionals: true }).positionals;

type Parsed = Readonly<{ data: string[][]; meta: Readonly<{ cursor: number }> }>;

const parser = (): papaparse.Parser => new papaparse.Parser({ delimiter: ',', newline: '\n' });

async function countRows(): Promise<number> {
  let rows = 0;
  let text = '';
  const texts = createReadStream(path, { encoding: 'utf8', highWaterMark: READ_BYTES });
  for await (const more of texts as AsyncIterable<string>) {
    text += more;
    const { data, meta } = parser().parse(text, 0, true) as Parsed;
    rows += data.length;
    text = text.slice(meta.cursor);
  }
  if (text !== '') rows += (parser().parse(text, 0, false) as Parsed).data.length;
  // The header is a row to the parser.
  return rows - 1;
}

const startMs = performance.now();
const rows = await countRows();
const measured: Measured = { rows, elapsedMs: performance.now() - startMs };
process.stdout.write(JSON.stringify(measured));
