const CODE_LENGTH_MAX = 64;
/** Words of a code. Addresses of wallets are longer, and have digits among their letters. */
const WORD = /^(?:[A-Za-z0-9]{0,24}|[A-Za-z]{0,48})$/;
/** The usual form of a trace id, apart from a UUID. */
const TRACE_ID = /^[0-9a-f]{32}$/;

/**
 * A code or trace id of the service, in a form that fits errors and histories. The service could send any text, so a
 * text that does not have the form of a code is not repeated. The store keeps the whole text.
 */
export function codeText(text: string): string {
  const isCode = text.length <= CODE_LENGTH_MAX && text.split(/[_.-]/).every((of) => WORD.test(of));
  return text !== '' && (isCode || TRACE_ID.test(text)) ? text : 'withheld';
}
