import { describe, expect, it } from '@jest/globals';
import { isServed, judgeAnswers } from '../../src/probe/judge-answers.ts';
import type { ProbeAnswer } from '../../src/probe/probe-answer.ts';

const refused = (httpStatus: number, errorCode?: string, message?: string): ProbeAnswer => ({
  kind: 'refused',
  httpStatus,
  ...(errorCode !== undefined && { errorCode }),
  ...(message !== undefined && { message }),
});

const value = (of: unknown): ProbeAnswer => ({ kind: 'value', httpStatus: 200, value: of });
const NONE: ProbeAnswer = { kind: 'none', reason: 'time-out' };

const PATH = refused(404, 'PATH', 'Nothing is here.');
const WRONG = [
  refused(400, 'UNKNOWN', 'Field "bursarProbe" is unknown.'),
  refused(400, 'INVALID', 'Field id or idempotencyKey is missing.'),
];
const MISSING = refused(404, 'MISSING', 'There is none.');

/** Refusals of a service whose refusals all have one code. */
const alike = (message: string): ProbeAnswer => refused(400, 'ERROR', message);
const ALIKE = {
  controls: [alike('bursarProbe: unbekannt; id: fehlt'), alike('id: fehlt')],
  pathControl: alike('Kein Pfad'),
};

describe('judgeAnswers', () => {
  it('understands an answer with another code than those to wrong questions', () => {
    const answers = {
      id: MISSING,
      idempotencyKey: refused(400, 'UNKNOWN', 'Field "x" is unknown.'),
    };
    expect(judgeAnswers({ answers, controls: WRONG, pathControl: PATH })).toEqual({
      id: 'understood',
      idempotencyKey: 'not-understood',
    });
  });

  it.each([
    [
      'another message with the code of a wrong question',
      refused(400, 'INVALID', 'No lookup by key.'),
    ],
    ['no answer', NONE],
    ['a refusal of the key', refused(401, 'KEY', 'No.')],
    ['a refusal of the permission', refused(403, 'RIGHT', 'No.')],
    ['a failure of the service', refused(500, 'BROKEN', 'Oops.')],
    ['the answer to a wrong question, where nothing was understood', WRONG[0] as ProbeAnswer],
  ])('leaves open %s', (_, id) => {
    expect(judgeAnswers({ answers: { id }, controls: WRONG, pathControl: PATH })).toEqual({
      id: 'unclear',
    });
  });

  it.each([['The payout 17 was not found.'], ['No such payout'], ["Object '0x12' does not exist"]])(
    'understands the message %j with any code',
    (message) => {
      const answers = { id: refused(400, 'INVALID', message) };
      expect(judgeAnswers({ answers, controls: WRONG, pathControl: PATH })).toEqual({
        id: 'understood',
      });
    },
  );

  it('takes the same refusal with other ids, paths, numbers and fields for the same', () => {
    const message = (id: string, path: string): string =>
      `Request ${id} to ${path} at 12:30:01 has the unknown field 'a' in payload.bursarProbe`;
    const answers = {
      id: refused(400, 'E', message('7e1f2d3c-aaaa-4bbb-8ccc-1234567890ab', '/api/v1/payout')),
      idempotencyKey: MISSING,
    };
    const controls = [
      refused(400, 'E', message('5', '/api/v1/other').replace('bursarProbe', 'id')),
    ];
    expect(judgeAnswers({ answers, controls, pathControl: PATH })).toEqual({
      id: 'not-understood',
      idempotencyKey: 'understood',
    });
  });

  it('goes by the message where all refusals have one code', () => {
    const answers = { id: alike('Nicht vorhanden'), idempotencyKey: alike('id: fehlt') };
    expect(judgeAnswers({ answers, ...ALIKE })).toEqual({
      id: 'understood',
      idempotencyKey: 'not-understood',
    });
  });

  it('leaves two new messages open where all refusals have one code', () => {
    const answers = { id: alike('Nicht vorhanden'), idempotencyKey: alike('Keine Suche danach') };
    expect(judgeAnswers({ answers, ...ALIKE })).toEqual({
      id: 'unclear',
      idempotencyKey: 'unclear',
    });
  });

  it('leaves a message open that names some faults of a wrong question', () => {
    const controls = [alike('account: fehlt; id: fehlt'), alike('account: fehlt; payload: leer')];
    const answers = { id: alike('account: fehlt') };
    expect(judgeAnswers({ answers, controls, pathControl: alike('Kein Pfad') })).toEqual({
      id: 'unclear',
    });
  });

  it('leaves everything open where every answer is the same', () => {
    const same = refused(400);
    const answers = { id: same, idempotencyKey: same };
    expect(judgeAnswers({ answers, controls: [same, same], pathControl: same })).toEqual({
      id: 'unclear',
      idempotencyKey: 'unclear',
    });
  });

  it.each([
    [false, 'unclear'],
    [true, 'not-understood'],
  ])(
    'of the other read, where one found a record and both name existing objects: %j, it says %s',
    (namesExisting, other) => {
      const answers = { id: value({ id: '1' }), idempotencyKey: WRONG[0] as ProbeAnswer };
      expect(judgeAnswers({ answers, controls: WRONG, pathControl: PATH, namesExisting })).toEqual({
        id: 'understood',
        idempotencyKey: other,
      });
    },
  );

  it('understands a value where wrong questions are refused, and leaves it open where they are not', () => {
    const answers = { id: value(null) };
    expect(judgeAnswers({ answers, controls: WRONG, pathControl: PATH })).toEqual({
      id: 'understood',
    });
    const controls = [value({})];
    expect(judgeAnswers({ answers, controls, pathControl: PATH })).toEqual({ id: 'unclear' });
  });

  it('leaves everything open without an answer to a wrong question', () => {
    expect(judgeAnswers({ answers: { id: MISSING }, controls: [NONE], pathControl: PATH })).toEqual(
      {
        id: 'unclear',
      },
    );
  });
});

describe('isServed', () => {
  it.each([
    [[value([])], PATH, true],
    [[MISSING], PATH, true],
    [[PATH, WRONG[0] as ProbeAnswer], PATH, true],
    [
      [refused(404, 'PATH', "Nothing is here: '/x'.")],
      refused(404, 'PATH', 'Nothing is here: "/y".'),
      false,
    ],
    [[PATH, NONE], PATH, false],
    [[refused(405), refused(501)], PATH, false],
    [[refused(404)], refused(404), false],
    [[value({})], value({}), undefined],
    [[NONE], PATH, undefined],
    [[MISSING], NONE, undefined],
  ])('of %j beside %j at a path that is not served is %j', (answers, pathControl, served) => {
    expect(isServed(answers, pathControl)).toBe(served);
  });
});
