import { describe, expect, it } from '@jest/globals';
import { isStoreUrl, withPasswordFile } from '../../../src/domain/store/store-url.ts';

describe('an address of a store', () => {
  it.each([
    'sqlite:store.db',
    'sqlite:/var/lib/bursar/store.db',
    'postgres://bursar@db.example/bursar',
    'postgresql://bursar@db.example:5432/bursar?sslmode=verify-full&sslrootcert=/etc/ca.pem',
    'postgres://bursar@one,two/bursar',
    'postgres:///bursar?host=/run/postgresql',
  ])('%s is served', (url) => {
    expect(isStoreUrl(url)).toBe(true);
  });

  it.each([
    'sqlite://host/store.db',
    'sqlite:a@b.db',
    'mysql://bursar@db/bursar',
    'postgres://bursar:secret@db/bursar',
    'postgres://bursar@db/bursar?password=secret',
    'postgres://bursar@db/bursar?sslmode=require&passfile=/x',
    'postgres://bursar@db/',
    'postgres://db',
    'postgres://bursar@db/bursar db',
  ])('%s is refused', (url) => {
    expect(isStoreUrl(url)).toBe(false);
  });

  it('of PostgreSQL gets the file of its password, and that of SQLite none', () => {
    const url = 'postgres://bursar@db/bursar';
    expect(withPasswordFile(url, '/run/my pass')).toBe(`${url}?password_file=%2Frun%2Fmy%20pass`);
    expect(withPasswordFile(`${url}?sslmode=require`, '/p')).toBe(
      `${url}?sslmode=require&password_file=%2Fp`,
    );
    expect(withPasswordFile('sqlite:a.db', '/p')).toBe('sqlite:a.db');
    expect(withPasswordFile(url, undefined)).toBe(url);
  });
});
