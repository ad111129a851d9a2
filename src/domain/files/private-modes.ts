/** Modes of all that Bursar keeps: only the user that runs it may read it, for it names recipients and amounts. */
export const PRIVATE_FILE_MODE = 0o600;
export const PRIVATE_FOLDER_MODE = 0o700;
/** The mask of each program: its files have no bit for group and others, with any mask of the parent process. */
export const PRIVATE_UMASK = 0o077;
