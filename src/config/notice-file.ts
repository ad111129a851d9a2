import { readFileSync } from 'node:fs';
import { BursarError } from '../domain/errors/bursar-error.ts';
import { type NoticeTemplate, readNoticeTemplate } from '../domain/notices/notice-template.ts';

/** Reads and checks the template in a file. @throws NOTICE_TEMPLATE_UNREADABLE, NOTICE_TEMPLATE_INVALID */
export function loadNoticeTemplate(file: string): NoticeTemplate {
  return readNoticeTemplate(file, textOf(file));
}

function textOf(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? 'unknown reason';
    const isText = reason !== 'ERR_ENCODING_INVALID_ENCODED_DATA';
    const facts = { file, reason: isText ? reason : 'it is not UTF-8' };
    throw new BursarError('NOTICE_TEMPLATE_UNREADABLE', facts, { cause });
  }
}
