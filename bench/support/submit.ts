import type { BatchView } from '../../src/domain/report/report.ts';
import type { BenchContext } from './context.ts';
import { type Cpu, cpuOf, withChildCpu } from './cpu.ts';
import { type CpuTimeline, startCpuTimeline } from './cpu-timeline.ts';
import type { Seen } from './instant-service/ledger.ts';
import { compiled, runModule } from './run-module.ts';
import type { BenchStack } from './stack.ts';
import { readWorkflowTimes, type Span, type WorkflowTimes } from './workflow-times.ts';

const BURSAR = compiled('../../programs/starter.js');

export type Paying = Readonly<{ file: string; batchId: string; rows: number }>;

/** How long a stage took, and the processor seconds of each process meanwhile. */
export type Stage = Readonly<{ ms: number; cpu: Cpu }>;

/** The whole command, its workflow with its stages, and the rest of the command around the workflow. */
export type StageName = 'submit' | 'before' | 'workflow' | 'ingest' | 'pay' | 'report' | 'after';

export type PaidBatch = Readonly<{
  stages: Readonly<Record<StageName, Stage>>;
  /** What the service received for it. */
  seen: Seen;
}>;

/** Pays a file with `bursar submit`, as a person does. Throws unless every row was paid, and sent once. */
export async function payFile(
  context: BenchContext,
  stack: BenchStack,
  paying: Paying,
): Promise<PaidBatch> {
  const { batchId, rows } = paying;
  const timeline = startCpuTimeline(stack.pids());
  try {
    const { view, submit, cliCpu } = await runSubmit(context, stack, { paying, timeline });
    timeline.stop();
    const seen = (await stack.seen())[batchId];
    const isOnce = seen?.rows === rows && seen.repeatedRows === 0;
    if (view.rows.paid !== rows || !isOnce || seen.creates !== view.chunks.total) {
      const shown = JSON.stringify({ rows: view.rows, chunks: view.chunks, seen });
      throw new Error(`${batchId}: not every row of ${rows} was paid once: ${shown}`);
    }
    const times = await readWorkflowTimes(stack.temporalAddress, batchId);
    const stages = stagesOf(submit, times, timeline);
    // The last sample of the command is older than its end; the figure of the system at its end is complete.
    const cpu = { ...stages.submit.cpu, ...cliCpu };
    return { stages: { ...stages, submit: { ...stages.submit, cpu } }, seen };
  } finally {
    timeline.stop();
  }
}

async function runSubmit(
  { signal }: BenchContext,
  { env, folder: cwd }: BenchStack,
  { paying, timeline }: Readonly<{ paying: Paying; timeline: CpuTimeline }>,
) {
  const args = ['submit', paying.file, '--id', paying.batchId, '--yes', '-o', 'json'];
  const onStart = (pid: number): void => timeline.add('cli', pid);
  const startMs = Date.now();
  const { result: view, cpuSeconds } = await withChildCpu(() =>
    runModule<BatchView>({ module: BURSAR, args, env, cwd, signal, onStart }),
  );
  const submit: Span = { startMs, endMs: Date.now() };
  return { view, submit, cliCpu: cpuOf('cli', cpuSeconds) };
}

function stagesOf(
  submit: Span,
  { workflow, ingest, pay, report }: WorkflowTimes,
  timeline: CpuTimeline,
): Record<StageName, Stage> {
  const stage = ({ startMs, endMs }: Span): Stage => ({
    ms: endMs - startMs,
    cpu: timeline.between(startMs, endMs),
  });
  return {
    submit: stage(submit),
    before: stage({ startMs: submit.startMs, endMs: workflow.startMs }),
    workflow: stage(workflow),
    ingest: stage(ingest),
    pay: stage(pay),
    report: stage(report),
    after: stage({ startMs: workflow.endMs, endMs: submit.endMs }),
  };
}
