/** Modes of all that Bursar keeps: only the user that runs it may read it, for it names recipients and amounts. */
export const PRIVATE_FILE_MODE = 0o600;
export const PRIVATE_FOLDER_MODE = 0o700;
/** The mask of each program: what it makes has no bit for group and others, whatever mask the program was started with. */
export const PRIVATE_UMASK = 0o077;
