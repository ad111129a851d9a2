/** Faults of addresses, by the words of the server. */
const FAULTS: Readonly<Record<string, string>> = {
  'it has a character that no such address has': 'sie hat ein Zeichen, das dort nicht vorkommt',
  'its checksum is wrong, so at least one character was changed':
    'ihre Prüfsumme ist falsch, also wurde mindestens ein Zeichen verändert',
  'its length is wrong, so it was cut off or has something added':
    'ihre Länge ist falsch, also wurde sie abgeschnitten oder ergänzt',
  'it does not start as such an address does': 'sie beginnt nicht wie eine solche Adresse',
  'this is a testnet address': 'es ist eine Adresse eines Testnetzes',
  'it mixes capital and small letters, or has a character that no such address has':
    'sie mischt Groß- und Kleinbuchstaben oder hat ein Zeichen, das dort nicht vorkommt',
  'it is shortened': 'sie ist abgekürzt',
  'a spreadsheet turned it into a number': 'eine Tabellenkalkulation hat eine Zahl daraus gemacht',
  'a spreadsheet turned it into a number, and its last digits into zeros':
    'eine Tabellenkalkulation hat eine Zahl daraus gemacht, und aus ihren letzten Ziffern Nullen',
  'a spreadsheet showed number signs in its place, because its column was too narrow':
    'eine Tabellenkalkulation hat an ihrer Stelle Rautezeichen angezeigt, weil die Spalte zu schmal war',
  'it is an error of a formula': 'es ist der Fehler einer Formel',
  'it starts with an apostrophe, by which a spreadsheet marks text':
    'sie beginnt mit einem Apostroph, mit dem eine Tabellenkalkulation Text kennzeichnet',
  'the 0x at its start is missing': 'am Anfang fehlt 0x',
  'the 0 at its start is missing': 'am Anfang fehlt die 0',
  'its 0x has a capital X': 'ihr 0x hat ein großes X',
  'it has a 0, O, I or l, and no such address has one of these':
    'sie hat eine 0, ein O, ein I oder ein l, und das kommt in solchen Adressen nicht vor',
  'its tag is of an unknown kind': 'ihr Tag ist von unbekannter Art',
  'it is on a workchain that does not exist': 'sie liegt in einer Workchain, die es nicht gibt',
  'it is of a kind that is not known': 'sie ist von unbekannter Art',
};

const CUT =
  /^(the 0x at its start is missing, and )?it has (\d+) digits instead of (\d+): it was cut off, or zeros at its start were lost$/;
const OF_OTHER = /^this is an? (.+) address$/;
const WITNESS = /^witness version (\d+) has no meaning yet$/;

/** `: …` with the fault of an address; empty for one that has no words here. */
export function addressFault(reason: string): string {
  const fault = FAULTS[reason] ?? faultWithFacts(reason);
  return fault === undefined ? '' : `: ${fault}`;
}

function faultWithFacts(reason: string): string | undefined {
  const [, isBare, found, wanted] = CUT.exec(reason) ?? [];
  if (found !== undefined) {
    const start = isBare === undefined ? '' : 'am Anfang fehlt 0x, und ';
    return `${start}sie hat ${found} statt ${wanted} Ziffern, wurde also abgeschnitten oder hat führende Nullen verloren`;
  }
  const other = OF_OTHER.exec(reason)?.[1];
  if (other !== undefined) return `es ist eine Adresse für ${other}`;
  const version = WITNESS.exec(reason)?.[1];
  return version === undefined
    ? undefined
    : `die Witness-Version ${version} hat noch keine Bedeutung`;
}
