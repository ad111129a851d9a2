import { describe, expect, it } from '@jest/globals';
import {
  noticeOf,
  type NoticeFacts,
  readNoticeTemplate,
} from '../../../src/domain/notices/notice-template.ts';

const FACTS: NoticeFacts = {
  name: 'Ann Lee',
  amount: '12.5',
  currency: 'USDT_TRC20',
  reference: 'EMP-004',
  comment: 'wage',
  date: '2026-11-28',
  hash: 'abc123',
};
const TEMPLATE = [
  'Subject: Payment {reference}',
  '',
  'Dear {name},',
  '',
  'we paid {amount} {currency} on {date}.',
  'Comment: {comment}',
  'Transaction: {hash}',
  '',
].join('\r\n');

const filled = (facts: Partial<NoticeFacts> = {}, template = TEMPLATE) =>
  noticeOf(readNoticeTemplate('t.txt', template), { ...FACTS, ...facts });

it('a template is filled with the facts of a row', () => {
  expect(filled()).toEqual({
    subject: 'Payment EMP-004',
    text: 'Dear Ann Lee,\n\nwe paid 12.5 USDT_TRC20 on 2026-11-28.\nComment: wage\nTransaction: abc123',
  });
});

it('a line whose values are all empty is left out', () => {
  expect(filled({ name: '', comment: '', hash: '', reference: '' })).toEqual({
    subject: 'Payment',
    text: '\nwe paid 12.5 USDT_TRC20 on 2026-11-28.',
  });
});

describe('a value', () => {
  it.each(['\r\nBcc: eve@x.example\r\n\r\nhi', '\nBcc: x', 'a\u2028b', 'a\u0000b', 'a\u0085b'])(
    'begins no line and no header: %j',
    (name) => {
      const { subject, text } = filled({ name, reference: name });
      // oxlint-disable-next-line no-control-regex -- these are what must be gone
      expect(subject).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
      expect(text.split(/\r\n|[\n\r\u0085\u2028\u2029]/)).toHaveLength(5);
    },
  );

  it('is not read as a part of the template', () => {
    expect(filled({ name: '{hash}', comment: '$& $1' }).text).toContain('Dear {hash},');
    expect(filled({ comment: '$& $1' }).text).toContain('Comment: $& $1');
  });

  it('is cut where it is very long, without half a character', () => {
    const { subject, text } = filled({
      name: '😀'.repeat(9_000),
      reference: `a${'😀'.repeat(300)}`,
    });
    expect(text.length).toBeLessThan(800);
    expect(subject.length).toBeLessThanOrEqual(200);
    expect(Buffer.from(`${subject}${text}`).toString()).toBe(`${subject}${text}`);
  });
});

describe('a template is refused', () => {
  it.each([
    ['', 1, 'it must begin with "Subject: " and the subject'],
    ['Subject:  \n\nhi', 1, 'it must begin with "Subject: " and the subject'],
    ['Hello {name}', 1, 'it must begin with "Subject: " and the subject'],
    ['Subject: paid', 2, 'it must be empty, and the text follows it'],
    ['Subject: paid\nhi', 2, 'it must be empty, and the text follows it'],
    ['Subject: paid\n\nhi {nmae}', 3, '{nmae} is no placeholder (did you mean {name}?)'],
    ['Subject: {address}\n\nhi', 1, '{address} is no placeholder'],
    ['Subject: paid\n\n{constructor}', 3, '{constructor} is no placeholder'],
    ['Subject: paid\n\nhi {name', 3, 'braces are only for placeholders'],
    ['Subject: paid\n\nhi { name }', 3, 'braces are only for placeholders'],
    ['Subject: paid\n\nhi\u0007', 3, 'it has a character that cannot be seen'],
    [`Subject: paid\n\n${'x'.repeat(10_001)}`, 1, 'the text has more than 10000 characters'],
  ])('%j: line %d, %s', (template, line, problem) => {
    expect(() => readNoticeTemplate('t.txt', template)).toThrow(
      expect.objectContaining({
        code: 'NOTICE_TEMPLATE_INVALID',
        facts: { file: 't.txt', line, problem },
      }),
    );
  });
});
