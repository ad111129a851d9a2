import { z } from 'zod';
import type { WireUserRole } from '../spec/users.ts';
import { idText, integerText, readRecord, text, unwrap } from './fields.ts';

/** A user of the service. Spec: "User, company and permissions", PGUserFullInfoDTO. */
export type UserInfo = {
  /** Id of the user, a UUID. Never empty. */
  readonly id: string;
  /** Name of the user; a UUID by the spec. */
  readonly username: string;
  /** Id of the company, a UUID. Absent when the service leaves it out. */
  readonly companyId?: string;
  /** Name of the company. Absent when the service leaves it out. */
  readonly companyName?: string;
  /** Whether the user is active. */
  readonly active: boolean;
  /** Whether the user is blocked. */
  readonly blocked: boolean;
  /** Roles of the user; a text that the spec does not name is kept. */
  readonly roles: readonly WireUserRole[];
};

/** A group of permissions. Spec: "User, company and permissions", PGPermissionGroupDTO. */
export type PermissionGroup = {
  /** Id of the group: an int64, as text. */
  readonly groupId: string;
  /** Name of the group. */
  readonly name: string;
  /** Texts of the group by name. The spec does not show the names. */
  readonly permissionData: Readonly<Record<string, string>>;
};

/** The permissions of a user for one account. Spec: "User, company and permissions". */
export type AccountPermissions = {
  /** Account id. Never empty. */
  readonly accountId: string;
  /** Name of the account. */
  readonly accountName: string;
  /** Groups of permissions for the account. */
  readonly permissionGroups: readonly PermissionGroup[];
};

/** A merchant account. Spec: "Account and balances", account information. */
export type AccountInfo = {
  /** Account id. Never empty. */
  readonly account: string;
  /** Name of the account. */
  readonly name: string;
};

/** The user of the API key. Spec: "User, company and permissions". */
export type User = {
  /** The user, its company and its roles. */
  readonly userFullInfo: UserInfo;
  /** The permissions of the user, one entry for each account. */
  readonly permissions: readonly AccountPermissions[];
  /** The accounts that the user may use. */
  readonly availableAccounts: readonly AccountInfo[];
};

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
