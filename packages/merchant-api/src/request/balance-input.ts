/** The account of `readBalance`. Spec: "Endpoints", POST /api/v1/account. */
export type BalanceInput = Readonly<{
  /** Account id: `0x` and 40 hexadecimal digits, or a UUID. Default: `account` of the client options. */
  account?: string;
}>;
