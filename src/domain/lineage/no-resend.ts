/** The statement of a person before a resend. The audit log has it. */
export const NO_RESEND_STATEMENT = 'nothing was resent elsewhere';
