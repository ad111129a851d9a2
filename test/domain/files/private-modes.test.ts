import { describe, expect, it } from '@jest/globals';
import {
  type FileRights,
  isPrivate,
  type ProcessIds,
} from '../../../src/domain/files/private-modes.ts';

const SERVICE = 1000;
const GROUP_OF_SECRETS = 2000;
const ROOT = 0;
const program: ProcessIds = { uid: SERVICE, groups: [SERVICE, GROUP_OF_SECRETS] };

/** A secret as Kubernetes mounts it with `fsGroup`. */
const mounted: FileRights = { uid: ROOT, gid: GROUP_OF_SECRETS, mode: 0o100440 };

describe('a file is for one program alone', () => {
  it.each([0o100600, 0o100400, 0o040700])('when group and others have no bit (%o)', (mode) => {
    expect(isPrivate({ uid: SERVICE, gid: SERVICE, mode }, program)).toBe(true);
  });

  it.each([0o100440, 0o100640, 0o100040])(
    'when root hands it to a group of the program, which may only read it (%o)',
    (mode) => {
      expect(isPrivate({ ...mounted, mode }, program)).toBe(true);
    },
  );
});

describe('a file is open', () => {
  it.each<[string, FileRights, ProcessIds]>([
    ['the group may write it', { ...mounted, mode: 0o100460 }, program],
    ['the group may execute it', { ...mounted, mode: 0o100450 }, program],
    ['all others may read it', { ...mounted, mode: 0o100444 }, program],
    ['all others may write it', { ...mounted, mode: 0o100442 }, program],
    ['all others may execute it', { ...mounted, mode: 0o100441 }, program],
    ['the program owns it, and its group may read it', { ...mounted, uid: SERVICE }, program],
    ['another user owns it', { ...mounted, uid: 1001 }, program],
    ['the program is not in its group', { ...mounted, gid: 2001 }, program],
    ['the program is root, which needs no group', mounted, { uid: ROOT, groups: [2000] }],
  ])('when %s', (_why, file, reader) => {
    expect(isPrivate(file, reader)).toBe(false);
  });
});
