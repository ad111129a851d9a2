import { z } from 'zod';
import { FATE_NAMES, type FateName } from './core/fates.ts';
import type { FateRule } from './core/fate-rules.ts';
import type { Overrides } from './store/overrides.ts';

const RULES_MAX = 10_000;

const Match = z
  .strictObject({
    position: z.int().min(1).optional(),
    address: z.string().min(1).max(1_000).optional(),
    comment: z.string().max(1_000).optional(),
    share: z.number().min(0).max(1).optional(),
    seed: z.int().optional(),
  })
  .refine(({ seed, share }) => seed === undefined || share !== undefined, 'seed belongs to share')
  .refine(
    ({ position, address, comment, share }) =>
      [position, address, comment, share].some((value) => value !== undefined),
    'must name position, address, comment or share',
  );

/** Rules in the form of the admin API and the settings. */
export const FateRulesInput: z.ZodType<FateRule[]> = z
  .array(
    z.strictObject({
      match: Match,
      fate: z.enum(FATE_NAMES as [FateName, ...FateName[]]),
    }),
  )
  .max(RULES_MAX);

/** The rules in force. The admin API wins over the settings, and the store keeps its choice. */
export type FateRules = Readonly<{
  current(): readonly FateRule[];
  /** The rules that the admin API set. Null: the settings decide. */
  override(): readonly FateRule[] | null;
  /** With null the settings decide again. */
  change(rules: readonly FateRule[] | null): void;
}>;

const OVERRIDE = 'fates';

export function createFateRules(settings: readonly FateRule[], overrides: Overrides): FateRules {
  let override: readonly FateRule[] | null = FateRulesInput.nullable().parse(
    overrides.read(OVERRIDE),
  );
  return {
    current: () => override ?? settings,
    override: () => override,
    change(rules) {
      overrides.write(OVERRIDE, rules);
      override = rules;
    },
  };
}
