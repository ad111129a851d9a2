/** Settings with which nobody gives a request up while a test holds it, however slow the machine is. */
export const PATIENT_REQUESTS = { BURSAR_API_REQUEST_TIMEOUT_MS: '120000' } as const;
