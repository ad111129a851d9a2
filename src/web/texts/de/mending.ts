import type { EN_MENDING } from '../en/mending.ts';

export const DE_MENDING: typeof EN_MENDING = {
  requests: {
    title: (number: number) => `Anfrage ${number} hat ein unklares Ergebnis`,
    reasons: {
      PAYOUT_DIFFERS:
        'Der Dienst hat unter diesem Schlüssel eine Auszahlung, die von der Anfrage abweicht. Sehen Sie sie beim Dienst an.',
      TWO_PAYOUTS:
        'Der Dienst hat mehr als eine Auszahlung für diese Zeilen. Sehen Sie jetzt alle an: was dort auf eine Bestätigung wartet, kann noch abgelehnt werden. Nennen Sie dann die, die zählen soll.',
      SECOND_PAYOUT_POSSIBLE:
        'Zwei Anfragen gingen ab, und eine Suche nach dem Schlüssel fand die vorhandene Auszahlung nicht. Sie fände auch eine zweite nicht. Suchen Sie beim Dienst nach einer zweiten, und nennen Sie dann die, die zählen soll.',
      LOOKUP_DISPROVEN:
        'Eine Anfrage kann angekommen sein, und Suchen bei diesem Dienst widersprachen sich: dass nichts gefunden wird, beweist nichts.',
      LOOKUP_UNPROVEN:
        'Eine Anfrage kann angekommen sein, und es ist nicht bewiesen, dass eine Suche nach dem Schlüssel sie fände.',
      LOOKUP_FAILING: 'Eine Anfrage kann angekommen sein, und der Dienst beantwortet keine Suche.',
      RESEND_BY_OPERATOR:
        'Eine Anfrage kann angekommen sein, und nach den Einstellungen entscheidet ein Mensch, ob sie noch einmal gesendet wird.',
      REJECTED_AFTER_DOUBT:
        'Der Dienst lehnte eine Anfrage ab, aber eine frühere kann angekommen sein ("gibt es schon" ist auch eine Ablehnung).',
      CREATED_NOT_FOUND:
        'Der Stapel sah diese Auszahlung entstehen. Der Speicher ist eine ältere Kopie ohne sie, und der Dienst findet sie nicht.',
      ATTEMPTS_USED_UP: 'Mehrere Anfragen können angekommen sein, und keine wurde gefunden.',
    },
    forgotten: 'Der Speicher wurde aus einer älteren Kopie zurückgeholt oder ging verloren:',
    forgottenUntil:
      'Ein Stapel dieses Namens kann vorher gesendet worden sein. Später eingereichte Stapel fragen nicht aus diesem Grund:',
    payments: 'Zahlungen',
    requestId: 'Suchen Sie die Nummer der Anfrage',
    requestKey: 'oder den Schlüssel der Anfrage',
    mayNot: 'Jemand mit der Rolle "operate" muss beim Dienst nachsehen und antworten.',
    question: 'Was haben Sie beim Dienst gefunden?',
    answers: {
      adopt: 'Sie ist dort. Ich nenne ihre Nummer, und der Stapel verfolgt sie.',
      'not-created': 'Sie ist nicht dort. Noch einmal senden.',
      abandon:
        'Ich kann es nicht herausfinden. Ihre Zahlungen bleiben unklar, und nichts wird noch einmal gesendet.',
    },
    payout: 'Nummer der Auszahlung beim Dienst',
    payoutHint: 'So, wie der Dienst sie zeigt.',
    looked:
      'Ich habe auf den eigenen Seiten des Dienstes nach der Nummer und dem Schlüssel oben gesucht, und sie ist nicht dort. Ist sie doch dort, werden ihre Empfänger zweimal bezahlt.',
    button: 'So antworten',
    answered: 'Ihre Antwort ist gespeichert.',
  },
  resend: {
    title: 'Fehlgeschlagene Zahlungen noch einmal zahlen',
    about:
      'Ein neuer Stapel zahlt die Zeilen, die nachweislich nicht bezahlt wurden. Sehen Sie sie erst an.',
    unsentTitle: 'Die verweigerten Zahlungen noch einmal einreichen',
    unsentAbout:
      'Es wurde nichts gesendet. Ein neuer Stapel mit denselben Zahlungen braucht neue Freigaben.',
    stopped: 'Warum sie nicht bezahlt wurden',
    open: 'Ansehen',
    plan: 'Was noch einmal bezahlt würde',
    reasons: 'Warum sie noch einmal bezahlt werden',
    inFile: 'Zeilen der Datei',
    before: 'Nach Stapel',
    why: 'Der Dienst zeigt, dass sie nicht bezahlt wurden, oder sie wurden nie gesendet. Jede wird vor dem Senden noch einmal gelesen.',
    leftOut: (count: string, rows: string) =>
      `Ausgelassen, weil nicht bewiesen ist, dass sie nicht bezahlt wurden: ${count} (Zeile ${rows}).`,
    statement:
      'Ich habe geprüft, dass niemand eine dieser Zahlungen anderswo noch einmal gesendet hat: auf den eigenen Seiten des Dienstes oder mit einer anderen Datei.',
  },
};
