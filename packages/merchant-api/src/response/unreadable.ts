/** An answer that the client cannot use. Its reason holds no text of the service. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}
