import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { maskedUrl } from '../../../src/domain/text/masked-url.ts';

it.each([
  ['postgres://ann:hush@db/x', 'postgres://***@db/x'],
  ['postgres://ann:hu/sh@db/x', 'postgres://***@db/x'],
  ['postgres://ann:hu@sh@db:5432/x?a=b', 'postgres://***@db:5432/x?a=b'],
  ['https://hush@pay.example/api', 'https://***@pay.example/api'],
  ['ann:hush@temporal.example:7233', '***@temporal.example:7233'],
  ['Temporal at ann:hush@host:7233 cannot', 'Temporal at ***@host:7233 cannot'],
  ['"url":"http://u:hush@a","b":"c@d"', '"url":"http://***@a","b":"c@d"'],
])('%s is printed as %s', (text, shown) => expect(maskedUrl(text)).toBe(shown));

it.each([
  'sqlite:/srv/store.db',
  'file:///home/ann@work/blobs',
  'sqlite:/home/ann@work/store.db',
  'http://127.0.0.1:8787/health',
  '127.0.0.1:7233',
  'chunk 3: nothing',
])('%s stays', (text) => expect(maskedUrl(text)).toBe(text));

it('no password is left, for any characters in it', () => {
  const word = fc.stringMatching(/^[!#-&(-;=?-~]{1,20}$/);
  fc.assert(
    fc.property(fc.constantFrom('postgres', 'https', 's3'), word, (scheme, word_) => {
      const secret = `Q${word_}Q`;
      expect(maskedUrl(`at ${scheme}://ann:${secret}@host/x.`)).not.toContain(secret);
    }),
  );
});
