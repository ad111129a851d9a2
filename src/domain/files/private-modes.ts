/** Modes of all that Bursar keeps: only the user that runs it may read it, for it names recipients and amounts. */
export const PRIVATE_FILE_MODE = 0o600;
export const PRIVATE_FOLDER_MODE = 0o700;
/** The mask of each program: its files have no bit for group and others, with any mask of the parent process. */
export const PRIVATE_UMASK = 0o077;

/** The owner, the group and the mode of a file. */
export type FileRights = Readonly<{ uid: number; gid: number; mode: number }>;
/** The user and the groups of a process. */
export type ProcessIds = Readonly<{ uid: number; groups: readonly number[] }>;

const ROOT = 0;
const GROUP_AND_OTHERS = 0o077;
/** Bits of a mode by which the group writes, and by which all others read or write. */
const ALL_BUT_GROUP_READ = 0o037;

/**
 * Whether a file or folder is for one program alone: its mode gives group and others nothing. A file of root may be read by
 * a group of the process, since Kubernetes and packages of an operating system hand out secrets so (0440 by `fsGroup`).
 * The process can then read the secret and not change it. A process of root needs no group.
 */
export function isPrivate({ uid, gid, mode }: FileRights, process: ProcessIds): boolean {
  if ((mode & GROUP_AND_OTHERS) === 0) return true;
  const isHandedOut = uid === ROOT && process.uid !== ROOT && process.groups.includes(gid);
  return isHandedOut && (mode & ALL_BUT_GROUP_READ) === 0;
}
