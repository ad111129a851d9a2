/** How the first line of the bare server begins; its address follows. */
export const BARE_READY_LINE = 'bare server listening on ';
