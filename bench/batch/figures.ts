import { type Cpu, cpuTotal } from '../support/cpu.ts';
import { type Aim, type Figure, medianCpu, medianFigure } from '../support/figure.ts';
import type { PaidBatch, StageName } from '../support/submit.ts';
import type { BareRun } from './bare-run.ts';

export const loopFigure = (name: string, runs: readonly BareRun[]): Figure => ({
  ...medianFigure(
    name,
    's',
    runs.map(({ elapsedMs }) => elapsedMs / 1_000),
  ),
  cpu: medianCpu(runs.map(cpuOf)),
});

const cpuOf = ({ cpuSeconds, serverCpuSeconds }: BareRun): Cpu =>
  serverCpuSeconds === undefined
    ? { process: cpuSeconds }
    : { process: cpuSeconds, database: serverCpuSeconds };

export const stageFigure = (
  name: string,
  paid: readonly PaidBatch[],
  stage: StageName,
): Figure => ({
  ...medianFigure(
    name,
    's',
    paid.map(({ stages }) => stages[stage].ms / 1_000),
  ),
  cpu: medianCpu(paid.map(({ stages }) => stages[stage].cpu)),
});

export const ratio = (
  name: string,
  { value }: Figure,
  { loop, aim }: Readonly<{ loop: Figure; aim?: Aim | undefined }>,
): Figure => ({
  name,
  unit: 'times',
  value: value / loop.value,
  ...(aim === undefined ? {} : { aim }),
});

/** The ratio of processor time, without that of the service. */
export const cpuRatio = (name: string, { cpu = {} }: Figure, loop: Figure): Figure => ({
  name: `${name}, processor time`,
  unit: 'times',
  value: ownCpu(cpu) / ownCpu(loop.cpu ?? {}),
});

const ownCpu = (cpu: Cpu): number => cpuTotal(cpu) - (cpu['service'] ?? 0);
