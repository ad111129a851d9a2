import { describe, expect, it } from '@jest/globals';
import { type BodyParts, type PreparedBody, signRequest } from '@bursar/merchant-api';
import { prepareBody } from '../src/request/body.ts';

// Computed with `openssl dgst -sha512 -hmac` and `sha256sum`, and again with Python's hmac.
const BODY =
  '{"timestamp":1763678400000,"account":"0x52908400098527886E0F7030069857D2E4169EE7",' +
  '"payload":{"currency":"USDT_TRC20","massAddresses":' +
  '[{"depositAddress":"TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj","amount":12.5,' +
  '"comment":"Miete für März"}],"idempotencyKey":"3f6f2a8e-5f0b-4d0c-9a57-0e6f6a2f3c11"}}';
const SIGN =
  '2654bbd9794dd5224dd3fc113de188ffed7ae2a29df625fbb1037d583608a394' +
  '3afb7807a639a2724c527bf04f369671d4ea4c4c5e45e4f0758b74ecb426ae9b';
const SHA256 = 'f80013483f147ce00e9be9585214dfbd51bc5867a9b2a1cb97cc1411ec66d524';

describe('signRequest', () => {
  it('agrees with OpenSSL about a body that is not all ASCII', () => {
    expect(signRequest('test-secret-key-1', BODY)).toBe(SIGN);
    expect(signRequest('test-secret-key-1', Buffer.from(BODY, 'utf8'))).toBe(SIGN);
  });

  it('agrees with RFC 4231, test case 2', () => {
    expect(signRequest('Jefe', 'what do ya want for nothing?')).toBe(
      '164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554' +
        '9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737',
    );
  });
});

const prepared = (parts: BodyParts): PreparedBody =>
  prepareBody(parts, { timestampUnit: 'ms', isFlat: false });

describe('a body', () => {
  const timestampMs = 1_763_678_400_000;
  const account = '0x52908400098527886E0F7030069857D2E4169EE7';

  it('puts timestamp, account and payload in this order and tells their digest', () => {
    const payloadText = BODY.slice(BODY.indexOf('"payload":') + '"payload":'.length, -1);
    const body = prepared({ timestampMs, account, payloadText });
    expect(body.bytes.toString('utf8')).toBe(BODY);
    expect(body.bodySha256).toBe(SHA256);
  });

  it('leaves out what is not given', () => {
    expect(prepared({ timestampMs }).bytes.toString()).toBe('{"timestamp":1763678400000}');
    expect(prepared({ timestampMs, account }).bytes.toString()).toBe(
      `{"timestamp":1763678400000,"account":"${account}"}`,
    );
  });

  it('keeps the payload text as it is, spaces and all', () => {
    expect(prepared({ timestampMs, payloadText: '{ "b" : 1.50 }' }).bytes.toString()).toBe(
      '{"timestamp":1763678400000,"payload":{ "b" : 1.50 }}',
    );
  });
});
