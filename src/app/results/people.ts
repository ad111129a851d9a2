import { z } from 'zod';
import { ROLES } from '../../domain/access/role.ts';
import type { PeopleList } from '../../operations/approval/list-people.ts';
import { tier } from './approval.ts';

const mode = z.enum(['signed', 'unsigned']);

/** Who may do what: `bursar.people/v1`. */
export const peopleResult: z.ZodType<PeopleList> = z.object({
  schema: z.literal('bursar.people/v1'),
  mode: mode.nullable(),
  expiresAfterMs: z.int().nullable(),
  people: z.array(
    z.object({
      name: z.string(),
      roles: z.array(z.string()),
      key: z.enum(['passkey', 'ed25519', 'none']),
      webRole: z.enum(ROLES),
      users: z.array(z.string()),
    }),
  ),
  tiers: z.array(tier.extend({ mayApprove: z.array(z.string()) })),
});
