import { LAWS, type LawName } from './evidence/laws.ts';
import type { ChaosResult } from './run.ts';

/** Of each law so many breaches are told. */
const BREACHES_TOLD = 10;

export function resultText(result: ChaosResult): string {
  const { options, rows, sends, faults, answers, times, broken } = result;
  const left = options.without.join(', ');
  const laws = Object.entries(LAWS).flatMap(([law, { says }]) => {
    const breaches = broken.filter((one) => one.law === law);
    const verdict = breaches.length === 0 ? 'holds' : `BROKEN ${breaches.length} times`;
    const told = breaches.slice(0, BREACHES_TOLD).map(({ why }) => `         ${why}`);
    const but = law === 'I10' && left !== '' ? `, but for what was left out: ${left}` : '';
    return [`  ${law.padEnd(6)} ${verdict.padEnd(8)} ${says}${but}`, ...told];
  });
  return [
    `seed ${options.seed}, keys: ${options.idempotency}; stack: ${options.stack}; ${secondsText(times.chaosMs)} of faults, then ${secondsText(times.settlingMs)} until all had ended`,
    `${result.batches} batches, ${result.resends} of them resends; rows told as ${countsText(rows)}`,
    `sends ${sends.sends}, in doubt ${sends.ambiguous}, of these found again and adopted ${sends.recovered}`,
    `people: ${countsText(answers)}`,
    '',
    'What went wrong on purpose:',
    ...Object.entries(faults).map(([name, count]) => `  ${String(count).padStart(6)}  ${name}`),
    ...options.without.map((name) => `  left out  ${name}`),
    `Commands that were killed: ${countsText(result.commandsKilled)}`,
    '',
    'Laws:',
    ...laws,
    '',
    broken.length === 0 ? 'Every law holds.' : 'A law was broken.',
    `Repeat: ${repeatCommand(result)}`,
  ].join('\n');
}

export const resultJson = (result: ChaosResult): string =>
  JSON.stringify(
    { schema: 'bursar.chaos/v1', ...result, laws: Object.keys(LAWS) as LawName[] },
    null,
    2,
  );

const secondsText = (ms: number): string => `${Math.round(ms / 1_000)} s`;

const countsText = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ') || 'none';

const repeatCommand = ({ options }: ChaosResult): string => {
  const { minutes, rows, seed, idempotency, stack, drill, without } = options;
  const lost = drill === undefined ? '' : ` --drill ${drill}`;
  const left = without.map((name) => ` --without ${JSON.stringify(name)}`).join('');
  return `npm run chaos -- --minutes ${minutes} --rows ${rows} --seed ${seed} --idempotency ${idempotency} --stack ${stack}${lost}${left}`;
};
