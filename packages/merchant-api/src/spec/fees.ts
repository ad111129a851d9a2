/** Types of operations with a fee. Spec: "Fee calculation", allowed values of `opType`. */
export const FEE_OPERATION_TYPES = ['INVOICE', 'WITHDRAWAL'] as const;

/** Type of an operation with a fee. Spec: "Fee calculation", `opType`. */
export type FeeOperationType = (typeof FEE_OPERATION_TYPES)[number];

/** Type of an operation in an answer: the service may add types at any time. */
export type WireFeeOperationType = FeeOperationType | (string & {});

/** Types of fees. Spec: "Fee calculation", allowed values of `feeType`. */
export const FEE_TYPES = ['SERVICE', 'FIX', 'PERCENT'] as const;

/** Type of a fee. Spec: "Fee calculation", `feeType`. */
export type FeeType = (typeof FEE_TYPES)[number];
