import type { BatchRecord } from './types.ts';
import { type PlanChoices, type PlanFacts, planFacts } from '../../domain/plan/digest.ts';
import type { ChunkHead } from '../rows/staging.ts';

/**
 * The plan that the store holds of a batch; undefined when it has none, or one that is older than rules. Choices are read
 * as they were written down: defaults of later versions would make another digest.
 */
export function plannedFacts(
  batch: BatchRecord,
  chunks: readonly ChunkHead[],
): PlanFacts | undefined {
  const { summary, findings, rules } = batch;
  if (summary === null || rules === null) return undefined;
  const options = JSON.parse(batch.optionsJson) as PlanChoices & { accept: readonly string[] };
  return planFacts({ batch, summary, options, findings, rules, chunks });
}
