import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTokens, loadBridgeTokens } from '../../src/config/token-files.ts';

const TOKEN = 'a'.repeat(43);
const OTHER = 'B-_9'.repeat(8);

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bursar-tokens-'));
  file = join(folder, 'deep', 'bridge-token');
});

afterEach(() => rmSync(folder, { recursive: true }));

function writeTokenFile(text: string, mode = 0o600): void {
  mkdirSync(join(folder, 'deep'), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
}

describe('the token file', () => {
  it('is made at the first start, with 32 random bytes that only the owner can read', () => {
    const [token, ...others] = loadBridgeTokens(file);
    expect(others).toEqual([]);
    expect(Buffer.from(token ?? '', 'base64url')).toHaveLength(32);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toBe(`${token}\n`);
  });

  it('stays as it is at the next start, and leaves nothing beside it', () => {
    expect(loadBridgeTokens(file)).toEqual(loadBridgeTokens(file));
    expect(readdirSync(join(folder, 'deep'))).toEqual(['bridge-token']);
  });

  it('differs from one bridge to another', () => {
    expect(loadBridgeTokens(file)).not.toEqual(loadBridgeTokens(`${file}-2`));
  });

  it.each([0o600, 0o400])('is read with mode %o', (mode) => {
    writeTokenFile(`${TOKEN}\n`, mode);
    expect(loadBridgeTokens(file)).toEqual([TOKEN]);
  });

  it.each([0o640, 0o604, 0o644, 0o660, 0o777])('is refused with mode %o', (mode) => {
    writeTokenFile(`${TOKEN}\n`, mode);
    expect(() => loadBridgeTokens(file)).toThrow(
      expect.objectContaining({
        code: 'BRIDGE_TOKEN_FILE_OPEN',
        facts: { file, mode: `0${mode.toString(8)}` },
      }),
    );
  });

  it('may hold several tokens, with empty lines and spaces around them', () => {
    writeTokenFile(`\n ${TOKEN} \r\n\n${OTHER}`);
    expect(loadBridgeTokens(file)).toEqual([TOKEN, OTHER]);
  });

  it.each([
    ['nothing', ''],
    ['a short token', 'hunter2hunter2hunter2'],
    ['a token with other characters', `${TOKEN}/..`],
    ['too long a line', 'a'.repeat(101)],
    ['too many tokens', `${TOKEN}\n`.repeat(11)],
  ])('is refused with %s, and the error does not repeat it', (_what, text) => {
    writeTokenFile(text);
    const refusal = (): unknown => loadBridgeTokens(file);
    expect(refusal).toThrow(expect.objectContaining({ code: 'BRIDGE_TOKEN_FILE_UNREADABLE' }));
    expect(refusal).not.toThrow(/hunter2|aaaa/);
  });

  it('is refused when it is a folder', () => {
    mkdirSync(file, { recursive: true, mode: 0o700 });
    expect(() => loadBridgeTokens(file)).toThrow(
      expect.objectContaining({ code: 'BRIDGE_TOKEN_FILE_UNREADABLE' }),
    );
  });

  it('is not made where no folder can be', () => {
    writeFileSync(join(folder, 'deep'), 'a file in the way');
    expect(() => loadBridgeTokens(file)).toThrow(
      expect.objectContaining({ code: 'BRIDGE_TOKEN_FILE_UNREADABLE' }),
    );
    expect(existsSync(file)).toBe(false);
  });
});

describe('tokens', () => {
  it('are accepted one and all', () => {
    const tokens = createTokens([TOKEN, OTHER]);
    expect([TOKEN, OTHER].map(tokens.accepts)).toEqual([true, true]);
  });

  it.each([
    ['nothing', ''],
    ['a part of one', TOKEN.slice(1)],
    ['more than one', `${TOKEN}a`],
    ['other letters', TOKEN.toUpperCase()],
    ['another token', OTHER],
    ['a long text', 'a'.repeat(100_000)],
  ])('do not accept %s', (_what, candidate) => {
    expect(createTokens([TOKEN]).accepts(candidate)).toBe(false);
  });
});
