import { z } from 'zod';
import { USER_ROLES } from '@bursar/merchant-api/spec';
import { AccountValue, AmountValue, CurrencyValue, TotalValue, UuidValue } from './values.ts';

const Balance = z.object({ currency: CurrencyValue, amount: AmountValue }).partial();

/** Spec: "Account and balances", balance response, of which no field is marked as required. */
export const AccountBalances = z
  .object({
    account: AccountValue,
    name: z.string(),
    ownerId: UuidValue.describe('The user who owns the account.'),
    balances: z.array(Balance).describe('One entry for each currency held.'),
  })
  .partial()
  .describe('The balances of an account.');

/** Spec: "Account and balances", PGAccountResponseDTO. */
export const AccountInfo = z
  .object({ account: AccountValue, name: z.string() })
  .describe('PGAccountResponseDTO.');

/** Spec: "User, company and permissions", PGUserFullInfoDTO. */
export const UserInfo = z
  .object({
    id: UuidValue,
    username: UuidValue,
    companyId: UuidValue.optional(),
    companyName: z.string().optional(),
    active: z.boolean(),
    blocked: z.boolean(),
    roles: z.array(z.enum(USER_ROLES)).meta({ uniqueItems: true }),
  })
  .describe('PGUserFullInfoDTO.');

/** Spec: "User, company and permissions", PGPermissionGroupDTO. */
export const PermissionGroup = z
  .object({
    groupId: TotalValue,
    name: z.string(),
    permissionData: z.record(z.string(), z.string()),
  })
  .describe('PGPermissionGroupDTO.');

/** Spec: "User, company and permissions", PGAccountPermissionGroups. */
export const AccountPermissions = z
  .object({
    accountId: AccountValue,
    accountName: z.string(),
    permissionGroups: z.array(PermissionGroup).meta({ uniqueItems: true }),
  })
  .describe('PGAccountPermissionGroups.');

/** Spec: "User, company and permissions", PGCompanyUserFullInfoDTO. */
export const CompanyUser = z
  .object({
    userFullInfo: UserInfo,
    permissions: z.array(AccountPermissions),
    availableAccounts: z.array(AccountInfo),
  })
  .describe('PGCompanyUserFullInfoDTO.');
