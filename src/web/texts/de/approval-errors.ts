import { sentenceOf } from '../../../domain/text/sentence.ts';
import type { ErrorTexts } from '../error-texts.ts';

const NAME_ALONE =
  'Die Regeln dieses Plans zählen nur Unterschriften: ein Name allein beweist nichts.';

/** Why an approval, a refusal or another signature does not count. */
export const DE_APPROVAL_ERRORS: ErrorTexts = {
  APPROVAL_NOT_NEEDED: {
    what: 'An diesem Stapel wartet nichts auf eine Freigabe.',
    why: 'Er braucht keine, ist schon freigegeben, oder sein Plan ist noch nicht fertig.',
  },
  APPROVAL_UNREADABLE: {
    what: 'Das ist keine Freigabe: ein Feld fehlt oder ist falsch.',
    why: 'Jedes Feld einer Freigabe ist nötig, sonst zählt sie nicht.',
    fix: 'Laden Sie die Seite neu, und unterschreiben Sie noch einmal.',
  },
  APPROVAL_FOR_ANOTHER: {
    what: 'Die Freigabe gilt für etwas anderes, als der Stapel jetzt ist.',
    why: 'Eine Freigabe gilt für genau das, was angesehen wurde. Nach jeder Änderung verfällt sie.',
  },
  APPROVAL_FORGED: {
    what: (f) => `Die Unterschrift unter dieser Freigabe ist nicht die von ${f.person}.`,
    short: 'Die Unterschrift ist nicht die der genannten Person.',
    why: 'Für eine Person unterschreibt nur, wer ihren Schlüssel hat, und jedes Feld ist unterschrieben.',
  },
  APPROVAL_UNSIGNED: {
    what: (f) => `Die Freigabe von ${f.person} ist nicht unterschrieben.`,
    short: 'Die Freigabe ist nicht unterschrieben.',
    why: NAME_ALONE,
  },
  APPROVAL_EXPIRED: {
    what: 'Die Freigabe ist abgelaufen.',
    why: 'Was damals richtig war, ist es jetzt vielleicht nicht mehr.',
    fix: 'Sehen Sie den Stapel noch einmal an, und geben Sie ihn neu frei.',
  },
  APPROVAL_FROM_FUTURE: {
    what: 'Die Zeit der Freigabe liegt in der Zukunft.',
    why: 'Freigaben lassen sich nicht im Voraus schreiben; eine Uhr darf höchstens wenige Minuten vorgehen.',
    fix: 'Stellen Sie die Uhr Ihres Geräts, und geben Sie noch einmal frei.',
  },
  APPROVAL_TOO_LONG: {
    what: 'Die Freigabe soll länger gelten als erlaubt.',
    why: 'Die Regeln des Plans sagen, wie lange Freigaben gelten.',
  },
  APPROVAL_REPEATED: {
    what: (f) => `${f.person} hat darüber schon entschieden.`,
    short: 'Diese Person hat darüber schon entschieden.',
    why: 'Eine Person zählt einmal, unter wie vielen Namen auch immer, und eine Verweigerung wird nicht zurückgenommen.',
  },
  APPROVAL_BY_SUBMITTER: {
    what: (f) => `${f.person} hat diesen Stapel eingereicht.`,
    short: 'Diese Person hat den Stapel eingereicht.',
    why: 'Wer eine Zahlung einreicht, kann sie weder freigeben noch verweigern: zwei Personen müssen sie ansehen.',
  },
  APPROVER_UNKNOWN: {
    what: (f) => `Nach den Regeln dieses Plans gibt niemand mit dem Namen „${f.person}“ frei.`,
    short: 'Nach den Regeln dieses Plans gibt diese Person nicht frei.',
    why: 'Es zählen nur die Personen, die in den Einstellungen standen, als der Plan gemacht wurde.',
  },
  APPROVER_NOT_ENTITLED: {
    what: (f) => `${f.person} darf diesen Stapel nicht freigeben.`,
    short: 'Diese Person darf den Stapel nicht freigeben.',
    why: (f) => `Seine Summen brauchen Personen aus: ${f.roles}.`,
  },
  APPROVALS_MISSING: {
    what: 'Der Stapel ist nicht freigegeben.',
    why: 'Der Stapel hatte alle Freigaben, aber gespeichert sind sie nicht. Darum endete er, und es wurde nichts gesendet.',
  },
  HOLD_APPROVALS_MISSING: {
    what: 'Der Stapel bleibt gestoppt: gespeichert fehlen Freigaben.',
    why: 'Es zählt, was gespeichert ist. Vielleicht ist gerade eine Freigabe abgelaufen.',
  },
  APPROVAL_IMPOSSIBLE: {
    what: (f) => `Nichts, was ${f.submittedBy} hier einreicht, kann freigegeben werden.`,
    short: 'Was diese Person einreicht, kann hier niemand freigeben.',
    why: 'Wer einreicht, zählt nicht bei der Freigabe, und sonst bleiben zu wenige.',
    fix: 'Lassen Sie jemand anderen die Datei einreichen, oder Ihr Administrator trägt mehr Personen ein.',
  },
  REFUSED_BY_APPROVER: {
    what: (f) => `${f.by} hat die Freigabe verweigert: ${sentenceOf(f.reason)}`,
    short: 'Die Freigabe wurde verweigert.',
    why: 'Eine einzige Verweigerung stoppt einen Stapel, egal wie viele freigeben.',
  },
  REFUSAL_UNPROVEN: {
    what: 'Der Stapel endete wegen einer Verweigerung, die nicht gespeichert ist.',
    why: 'Eine Verweigerung zählt nur mit Unterschrift. Gespeichert ist eine ältere Kopie, oder ein fremdes Programm griff ein.',
  },
  SUBMIT_UNSIGNED: {
    what: (f) => `Nichts beweist, dass ${f.submittedBy} diesen Stapel eingereicht hat.`,
    short: 'Nichts beweist, wer diesen Stapel eingereicht hat.',
    why: 'Freigeben müssen andere als die Person, die einreicht; darum muss sie unterschreiben.',
  },
  ANSWER_UNSIGNED: {
    what: 'Die Antwort für diese Anfrage ist nicht unterschrieben.',
    why: NAME_ALONE,
  },
  TOKEN_APPROVES_NOTHING: {
    what: (f) => `${f.name} kann ohne Unterschrift nicht freigeben.`,
    short: 'Ohne Unterschrift lässt sich nichts freigeben.',
    why: 'Eine Anmeldung allein ist keine Unterschrift.',
    fix: 'Unterschreiben Sie mit Ihrem Passkey.',
  },
};
