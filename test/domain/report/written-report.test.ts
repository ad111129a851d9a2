import { describe, expect, it } from '@jest/globals';
import {
  bucketReportUrl,
  newestReport,
  reportPrefix,
  type WrittenFiles,
} from '../../../src/domain/report/written-report.ts';

const A = 'a'.repeat(64);
const B = 'b'.repeat(64);
const written = (version: number, sha256 = A): WrittenFiles => ({
  version,
  files: { 'report.json': sha256 },
});

describe('the newest report', () => {
  it('is the last one of the highest version', () => {
    const all = [written(1), written(2, A), written(2, B), written(1, B)];
    expect(newestReport(all)).toEqual(written(2, B));
    expect(newestReport([])).toBeUndefined();
  });
});

describe('the prefix of a report', () => {
  it('follows from its version and its hashes, in any order of the files', () => {
    const files = { 'report.json': A, 'report.csv': B };
    const turned = { 'report.csv': B, 'report.json': A };
    const prefix = reportPrefix('june', { version: 2, files });
    expect(prefix).toMatch(/^reports\/june\/v2-[0-9a-f]{16}$/);
    expect(reportPrefix('june', { version: 2, files: turned })).toBe(prefix);
  });

  it.each([written(3), written(2, B), { version: 2, files: { 'report.csv': A } }])(
    'differs where anything of the report differs: %j',
    (other) => {
      expect(reportPrefix('june', other)).not.toBe(reportPrefix('june', written(2)));
    },
  );
});

describe('the address of a report', () => {
  it('is its prefix in the bucket, without region and endpoint', () => {
    const url = 's3://payouts/files?region=eu-central-1&endpoint=http://127.0.0.1:9000';
    expect(bucketReportUrl(url, 'june', written(1))).toBe(
      `s3://payouts/files/${reportPrefix('june', written(1))}`,
    );
    expect(bucketReportUrl('s3://payouts', 'june', written(1))).toBe(
      `s3://payouts/${reportPrefix('june', written(1))}`,
    );
  });

  it('is none where files are in a folder', () => {
    expect(bucketReportUrl('file:/srv/blobs', 'june', written(1))).toBeUndefined();
  });
});
