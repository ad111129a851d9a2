/** How the line begins that the service prints when it is ready; its address follows. */
export const READY_LINE = 'service listening on ';

/** Where the bench asks what arrived; the engine does not know this path. */
export const SEEN_PATH = '/bench/seen';
