const ONE_CASE = /^(?:[0-9a-z:]*|[0-9A-Z:]*)$/;

/**
 * An address in small letters, if it is written in small or in capital letters throughout. Letters outside ASCII are
 * refused: some of them, such as the Kelvin sign, would turn into ASCII here.
 */
export const smallLetters = (address: string): string | undefined =>
  ONE_CASE.test(address) ? address.toLowerCase() : undefined;
