/**
 * An answer that cannot be used, with the reason in our own words: no text of the service is in it.
 */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}
