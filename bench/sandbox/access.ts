/** Who asks the sandbox; it is a sandbox of the bench's own. */
export const KEY = 'bench-key';
export const SECRET = 'bench-secret';
export const ACCOUNT = '0xbe0c000000000000000000000000000000000001';
export const CURRENCY = 'USDT_TRC20';
