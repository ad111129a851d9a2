/** Spec: "Fee calculation", allowed values of `opType`. */
export const FEE_OPERATION_TYPES = ['INVOICE', 'WITHDRAWAL'] as const;
export type FeeOperationType = (typeof FEE_OPERATION_TYPES)[number];

/** Spec: "Fee calculation", allowed values of `feeType`. */
export const FEE_TYPES = ['SERVICE', 'FIX', 'PERCENT'] as const;
export type FeeType = (typeof FEE_TYPES)[number];
