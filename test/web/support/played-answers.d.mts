export const HOSTILE: string;
export const PAYMENT_FILE: string;
export const PLACE: object;
export const PEOPLE: object;
export const BATCHES: object;
export const WAITING: object;
export const HELD: object;
export const PARTIAL: object;
export const REFUSED: object;
export const UNCLEAR: object;
export const ANSWERED: object;
export const RESEND_PLAN: object;
export const RESENT: object;
export const ROWS: object;
export const PAYEES: object;
export const STAFF: readonly object[];
export function paymentsOf(payee: object): object;
export const PAYEE: object;
export const PAYEE_IMPORT: object;
export const ROW_HISTORY: object;
export const REPORT_FILES: object;
export const INBOX: object;
export const FUNDS: object;
export const SCHEDULE_LIST: object;
export const SCHEDULES: readonly object[];
export const AUDIT: object;
export const FINDS: object;
export const TO_CORRECT: string;
export const COLUMN_QUESTION: object;
export const SHEET_QUESTION: object;
export function payingBatch(paid: number): object;
export function answerQuestionOf(
  batchId: string,
  about: Readonly<{ chunk: number; answer: string }>,
  publicKey: string,
): object;
export function questionWith(publicKey: string, submittedBy?: string): object;
export function planWith(
  accept: readonly string[],
  more: Readonly<{
    isWrong?: boolean;
    hasCurrency?: boolean;
    isSigned?: boolean;
    id?: string;
    parts?: Readonly<Record<string, string>>;
    form?: object;
  }>,
): object;
