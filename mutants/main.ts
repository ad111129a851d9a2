import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { EXIT } from '../src/domain/errors/exit-codes.ts';
import { type LayerName, LAYERS } from './layers.ts';
import type { Mutant } from './mutant.ts';
import { MUTANTS } from './mutants.ts';
import { type Verdict, verdictOf } from './witness.ts';
import { openWorkshop, type Workshop } from './workshop.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LAYER_NAMES = Object.keys(LAYERS) as LayerName[];
const LAYERS_DEFAULT: readonly LayerName[] = ['rules', 'adversary', 'sim', 'scenarios'];

const USAGE = `Usage: npm run mutants -- [--only NAME...] [--layers LIST] [--all]

Leaves one rule of the engine out after the other, in a copy, and lets the tests try to notice.

  --only NAME     only this mutant; may be repeated: ${MUTANTS.map(({ name }) => name).join(', ')}
  --layers LIST   with commas, in this order (default ${LAYERS_DEFAULT.join(',')}): ${LAYER_NAMES.join(', ')}
  --all           asks every layer, also when one before has caught the mutant
  --help          print this

`;

const say = (line: string): void => {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
};

type Wish = Readonly<{ mutants: readonly Mutant[]; layers: readonly LayerName[]; all: boolean }>;
type Row = Readonly<{ mutant: Mutant; verdicts: Readonly<Record<string, Verdict>> }>;

function readWish(args: readonly string[]): Wish | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true, default: [] },
      layers: { type: 'string', default: LAYERS_DEFAULT.join(',') },
      all: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const layers = values.layers.split(',') as LayerName[];
  const unknown = [
    ...values.only.filter((name) => !MUTANTS.some((mutant) => mutant.name === name)),
    ...layers.filter((name) => !LAYER_NAMES.includes(name)),
  ];
  if (values.help || unknown.length > 0) {
    process.stdout.write(USAGE);
    if (unknown.length > 0) process.stderr.write(`There is no ${unknown.join(', ')}.\n`);
    process.exitCode = values.help ? 0 : 2;
    return undefined;
  }
  const isMeant = ({ name }: Mutant): boolean =>
    values.only.length === 0 || values.only.includes(name);
  return { mutants: MUTANTS.filter(isMeant), layers, all: values.all };
}

/** Asks layer after layer whether it notices the mutant. */
async function tryMutant(workshop: Workshop, mutant: Mutant, wish: Wish): Promise<Row> {
  const verdicts: Record<string, Verdict> = {};
  await workshop.withMutant(mutant, async () => {
    try {
      await workshop.build();
    } catch (error) {
      // The other mutants are tried all the same.
      say(`${mutant.name}: ${String(error)}`);
      for (const layer of wish.layers) {
        verdicts[layer] = { isCaught: false, says: 'it cannot be built' };
      }
      return;
    }
    let isCaught = false;
    for (const layer of wish.layers) {
      if (isCaught && !wish.all) {
        verdicts[layer] = { isCaught: false, says: 'not asked' };
        continue;
      }
      const verdict = await tryLayer(workshop, layer, mutant);
      verdicts[layer] = verdict;
      isCaught ||= verdict.isCaught;
      say(`${mutant.name}, ${layer}: ${verdict.says}`);
    }
  });
  return { mutant, verdicts };
}

async function tryLayer(workshop: Workshop, layer: LayerName, mutant: Mutant): Promise<Verdict> {
  let verdict: Verdict = { isCaught: false, says: 'not caught' };
  for (const command of LAYERS[layer].commands(mutant)) {
    verdict = verdictOf(await workshop.run(command));
    if (verdict.isCaught) break;
  }
  return verdict;
}

/** A layer that fails anyway would seem to catch everything. */
async function tryWithout(workshop: Workshop, { layers, mutants }: Wish): Promise<void> {
  await workshop.build();
  const scenarios = [...new Set(mutants.flatMap((mutant) => mutant.scenarios))];
  const none: Mutant = { name: 'none', does: 'nothing', edits: [], scenarios };
  for (const layer of layers) {
    for (const command of LAYERS[layer].commands(none)) {
      const { isGood, talk } = await workshop.run(command);
      if (!isGood) throw new Error(`${layer} fails without any mutant:\n${talk}`);
    }
    say(`without a mutant: ${layer} succeeds`);
  }
}

function table(rows: readonly Row[], layers: readonly LayerName[]): string {
  const lines = rows.map(({ mutant, verdicts }) =>
    ['', mutant.name, mutant.does, ...layers.map((layer) => verdicts[layer]?.says ?? ''), '']
      .join(' | ')
      .trim(),
  );
  return [
    `| mutant | does | ${layers.join(' | ')} |`,
    `|---|---|${layers.map(() => '---|').join('')}`,
    ...lines,
  ].join('\n');
}

const isNoticed = ({ verdicts }: Row): boolean =>
  Object.values(verdicts).some(({ isCaught }) => isCaught);

async function main(): Promise<void> {
  const wish = readWish(process.argv.slice(2));
  if (wish === undefined) return;
  const folder = mkdtempSync(join(tmpdir(), 'bursar-mutants-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => process.exit(EXIT.interrupted));
  }
  say('copying the project, and trying it without a mutant');
  const workshop = openWorkshop(ROOT, folder);
  await tryWithout(workshop, wish);
  const rows: Row[] = [];
  for (const mutant of wish.mutants) rows.push(await tryMutant(workshop, mutant, wish));
  const caught = rows.filter(isNoticed).length;
  process.stdout.write(`${table(rows, wish.layers)}\n\n${caught} of ${rows.length} caught\n`);
  process.exitCode = caught === rows.length ? 0 : 1;
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
