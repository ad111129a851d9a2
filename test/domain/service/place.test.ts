import { describe, expect, it } from '@jest/globals';
import { environmentOf, placeWords } from '../../../src/domain/service/place.ts';

describe('the environment of a service', () => {
  it.each`
    declared     | isLoopback | environment
    ${undefined} | ${true}    | ${'SANDBOX'}
    ${undefined} | ${false}   | ${'LIVE'}
    ${'live'}    | ${true}    | ${'LIVE'}
    ${'live'}    | ${false}   | ${'LIVE'}
    ${'sandbox'} | ${true}    | ${'SANDBOX'}
    ${'sandbox'} | ${false}   | ${'SANDBOX'}
  `(
    'is $environment where the setting is $declared, and the address on this machine: $isLoopback',
    ({ environment, ...facts }) => {
      expect(environmentOf(facts as Parameters<typeof environmentOf>[0])).toBe(environment);
    },
  );
});

describe('a place in words', () => {
  const place = {
    environment: 'LIVE',
    service: 'https://pay.example',
    account: '0xb0b0000000000000000000000000000000000001',
    profile: null,
  } as const;

  it('names the environment, the service and the whole account', () => {
    expect(placeWords(place)).toEqual({
      environment: 'LIVE',
      where: 'https://pay.example, account 0xb0b0000000000000000000000000000000000001',
    });
  });

  it('names the profile that was chosen', () => {
    expect(placeWords({ ...place, profile: 'emea' }).where).toMatch(/, profile emea$/);
  });

  it('calls no environment LIVE where no service is set', () => {
    expect(placeWords({ ...place, service: null, account: null })).toEqual({
      environment: null,
      where: 'no service is set (api.base_url)',
    });
  });
});
