import { z } from 'zod';
import type { UserRole } from '../spec/users.ts';
import { idText, integerText, readRecord, text, unwrap } from './fields.ts';

/** What the wire may carry: the service may add roles at any time. */
export type WireUserRole = UserRole | (string & {});

const role: z.ZodType<WireUserRole> = idText;

const isTexts = (value: unknown): value is Readonly<Record<string, string>> =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((member) => typeof member === 'string');

/** Texts by names that are not shown. Checked as a whole, so that no error names one of them. */
const textsByName = z.custom<Readonly<Record<string, string>>>(isTexts);

const PermissionGroup = z.object({
  /** An int64, as text. */
  groupId: integerText,
  name: text,
  permissionData: textsByName,
});

const UserRecord = z.object({
  userFullInfo: z.object({
    id: idText,
    username: text,
    companyId: text.exactOptional(),
    companyName: text.exactOptional(),
    active: z.boolean(),
    blocked: z.boolean(),
    roles: z.array(role),
  }),
  permissions: z.array(
    z.object({
      accountId: idText,
      accountName: text,
      permissionGroups: z.array(PermissionGroup),
    }),
  ),
  availableAccounts: z.array(z.object({ account: idText, name: text })),
});

/**
 * The user of the API key, its company, its permissions for each account, and the accounts it may
 * use. Spec: "User, company and permissions".
 */
export type User = Readonly<z.output<typeof UserRecord>>;

/** Reads a user, wrapped or not. Throws `Unreadable`. */
export const readUserRecord = (json: unknown): User =>
  readRecord(UserRecord, unwrap(json, 'userFullInfo'));
