/** What stands in place of a user name and a password. */
const MASK = '***@';

/** `scheme://user:password@`. A password may hold a slash, so everything before the last `@` of the address counts. */
const WITH_SCHEME = /([a-z][a-z0-9+.-]{0,30}:\/\/)(?!\/)[^\s"'<>]{1,2000}@/gi;
/** `user:password@host` without a scheme, as an address of Temporal may be written. */
const WITHOUT_SCHEME = /(^|[\s"'(<=,])[^\s"'<>:@/]{1,200}:[^\s"'<>@/]{1,200}@(?=[\w[])/g;

/**
 * A text without the user names and passwords of the addresses in it. Every address that is printed or logged goes through
 * this function: `postgres://ann:secret@db/x` becomes `postgres://***@db/x`.
 */
export const maskedUrl = (text: string): string =>
  text.replace(WITH_SCHEME, `$1${MASK}`).replace(WITHOUT_SCHEME, `$1${MASK}`);
