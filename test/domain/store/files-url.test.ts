import { expect, it } from '@jest/globals';
import { filesPlaceOf } from '../../../src/domain/store/files-url.ts';

const PAYOUTS = { kind: 'bucket', bucket: 'payouts', prefix: '', pathStyle: false };

it.each([
  ['file:/srv/blobs', { kind: 'folder', folder: '/srv/blobs' }],
  ['file:blobs', { kind: 'folder', folder: 'blobs' }],
  ['file:///srv/my blobs', { kind: 'folder', folder: '/srv/my blobs' }],
  ['s3://payouts', PAYOUTS],
  ['s3://payouts/', PAYOUTS],
  ['s3://payouts/a/b', { ...PAYOUTS, prefix: 'a/b/' }],
  [
    's3://payouts/a/?region=eu-central-1&endpoint=http://127.0.0.1:9000&pathStyle=true',
    {
      ...PAYOUTS,
      prefix: 'a/',
      region: 'eu-central-1',
      endpoint: 'http://127.0.0.1:9000',
      pathStyle: true,
    },
  ],
  [
    's3://payouts?endpoint=https%3A%2F%2Fs3.example.com',
    { ...PAYOUTS, endpoint: 'https://s3.example.com' },
  ],
])('%s is a place of files', (url, place) => {
  expect(filesPlaceOf(url)).toEqual(place);
});

it.each([
  '',
  '/srv/blobs',
  'file:',
  'file:a@b',
  's3:payouts',
  's3://',
  's3://Payouts',
  's3://payouts/../other',
  's3://payouts//a',
  's3://payouts/a b',
  's3://payouts?',
  's3://payouts?accessKeyId=AKIA',
  's3://payouts?secretAccessKey=hush',
  's3://payouts?region=a&region=b',
  's3://payouts?region=',
  's3://payouts?region=%zz',
  's3://payouts?pathStyle=yes',
  's3://payouts?endpoint=ftp://host',
  's3://payouts?endpoint=http://ann:hush@host',
  's3://payouts?endpoint=http%3A%2F%2Fann%3Ahush%40host',
  's3://ann:hush@payouts/a',
  'gs://payouts',
])('%j is no place of files', (url) => {
  expect(filesPlaceOf(url)).toBeUndefined();
});
