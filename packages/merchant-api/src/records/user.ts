import { z } from 'zod';
import type { WireUserRole } from '../spec/users.ts';
import { idText, integerText, readRecord, text, unwrap } from './fields.ts';

/** A user of the service. Spec: "User, company and permissions", PGUserFullInfoDTO. */
export type UserInfo = Readonly<{
  /** Id of the user, a UUID. Never empty. */
  id: string;
  /** Name of the user; a UUID by the spec. */
  username: string;
  /** Id of the company, a UUID. Absent when the service leaves it out. */
  companyId?: string;
  /** Name of the company. Absent when the service leaves it out. */
  companyName?: string;
  /** Whether the user is active. */
  active: boolean;
  /** Whether the user is blocked. */
  blocked: boolean;
  /** Roles of the user; a text that the spec does not name is kept. */
  roles: readonly WireUserRole[];
}>;

/** A group of permissions. Spec: "User, company and permissions", PGPermissionGroupDTO. */
export type PermissionGroup = Readonly<{
  /** Id of the group: an int64, as text. */
  groupId: string;
  /** Name of the group. */
  name: string;
  /** Texts of the group by name. The spec does not show the names. */
  permissionData: Readonly<Record<string, string>>;
}>;

/** The permissions of a user for one account. Spec: "User, company and permissions". */
export type AccountPermissions = Readonly<{
  /** Account id. Never empty. */
  accountId: string;
  /** Name of the account. */
  accountName: string;
  /** Groups of permissions for the account. */
  permissionGroups: readonly PermissionGroup[];
}>;

/** A merchant account. Spec: "Account and balances", account information. */
export type AccountInfo = Readonly<{
  /** Account id. Never empty. */
  account: string;
  /** Name of the account. */
  name: string;
}>;

/** The user of the API key. Spec: "User, company and permissions". */
export type User = Readonly<{
  /** The user, its company and its roles. */
  userFullInfo: UserInfo;
  /** The permissions of the user, one entry for each account. */
  permissions: readonly AccountPermissions[];
  /** The accounts that the user may use. */
  availableAccounts: readonly AccountInfo[];
}>;

const role: z.ZodType<WireUserRole> = idText;

const isTexts = (value: unknown): value is Readonly<Record<string, string>> =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((member) => typeof member === 'string');

/** Texts by names that the spec does not show. Checked as a whole, so that no error shows a name. */
const textsByName = z.custom<Readonly<Record<string, string>>>(isTexts);

const UserRecord: z.ZodType<User> = z.object({
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
      permissionGroups: z.array(
        z.object({ groupId: integerText, name: text, permissionData: textsByName }),
      ),
    }),
  ),
  availableAccounts: z.array(z.object({ account: idText, name: text })),
});

/** Reads a user, wrapped or not. Throws `Unreadable`. */
export const readUserRecord = (json: unknown): User =>
  readRecord(UserRecord, unwrap(json, 'userFullInfo'));
