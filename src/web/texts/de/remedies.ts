import type { EN_REMEDIES } from '../en/remedies.ts';

export const DE_REMEDIES: typeof EN_REMEDIES = {
  remedies: {
    CURRENCY_MISSING: {
      why: 'Weder die Zelle "currency" noch eine Wahl auf dieser Seite sagt, welche Währung zu zahlen ist.',
      fix: 'Füllen Sie die Spalte currency (zum Beispiel USDT_TRC20), oder wählen Sie die Währung solcher Zeilen auf dieser Seite.',
    },
    AMOUNT_HAS_POINT: {
      what: 'Der Betrag hat einen Punkt, und für die Dezimalstellen wurde das Komma gewählt.',
    },
    AMOUNT_NOT_DECIMAL: {
      fix: 'Schreiben Sie Ziffern mit höchstens einem Dezimalpunkt, zum Beispiel 1000.5. Haben alle Beträge ein Dezimalkomma, dann wählen Sie das auf dieser Seite.',
    },
    FILE_ROWS_REFUSED: {
      fix: 'Laden Sie die Datei mit ihren Fehlern herunter, korrigieren Sie sie und wählen Sie sie noch einmal; oder lassen Sie die falschen Zeilen aus.',
    },
    FINDINGS_NOT_ACCEPTED: {
      fix: 'Sehen Sie jeden Hinweis an, bestätigen Sie ihn und aktualisieren Sie den Plan.',
    },
    FINDINGS_BLOCK: {
      fix: 'Korrigieren Sie die Datei. Ist die Regel falsch, kann Ihr Administrator sie ändern.',
    },
    SHEET_NOT_CHOSEN: { fix: 'Wählen Sie das Blatt auf dieser Seite.' },
    SHEET_NOT_FOUND: { fix: 'Wählen Sie eines der Blätter auf dieser Seite.' },
    SHEET_OF_NO_WORKBOOK: {
      fix: 'Wählen Sie die Datei noch einmal, oder wählen Sie die Arbeitsmappe.',
    },
    BATCH_ID_INVALID: { fix: 'Geben Sie einen anderen Namen ein, oder lassen Sie das Feld leer.' },
    BATCH_ID_TAKEN: { fix: 'Geben Sie einen anderen Namen ein, oder lassen Sie das Feld leer.' },
    SAME_FILE_AGAIN: {
      fix: 'Sehen Sie den früheren Stapel an. Ist eine zweite Zahlung gemeint, bestätigen Sie diesen Hinweis und geben Sie dem Stapel einen anderen Namen.',
    },
    AT_AND_EXECUTION_DATE: {
      what: 'Es wurden zwei Zeiten gewählt.',
      fix: 'Behalten Sie eine davon.',
    },
    CONFIRMATION_WRONG: { fix: 'Prüfen Sie den Plan, und geben Sie seine Summen noch einmal ein.' },
    CONFIRMATION_MISSING: {
      why: 'Die Summen wurden nicht eingegeben.',
      fix: 'Prüfen Sie den Plan, und geben Sie seine Summen ein.',
    },
    PLAN_CHANGED: {
      fix: 'Aktualisieren Sie den Plan, vergleichen Sie ihn mit dem alten und zahlen Sie den neuen.',
    },
    BATCH_HAS_OTHER_PLAN: {
      fix: 'Sehen Sie diesen Stapel an. Soll auch dieser Plan bezahlt werden, geben Sie ihm einen anderen Namen.',
    },
    FUNDS_TOO_LOW: {
      fix: 'Füllen Sie das Konto auf (die Seite "Geld" zeigt, wer was braucht), oder brechen Sie ab, was nicht mehr bezahlt werden muss. Reichen Sie die Datei dann unter einem anderen Namen ein.',
    },
    DAY_LIMIT_PASSED: {
      fix: 'Wählen Sie einen anderen Tag, oder lassen Sie das Limit für künftige Stapel anheben.',
    },
    BALANCE_DIFFERS: {
      fix: 'Finden Sie heraus, wohin das Geld ging: Ihr Administrator kann das Konto mit den Zahlungen vergleichen. Der Stapel geht von selbst weiter, wenn ein späterer Blick auf das Guthaben es erklärt, oder wenn jemand ihn fortsetzt.',
    },
    SUBMIT_UNSIGNED: {
      fix: 'Unterschreiben Sie mit Ihrem Passkey. Ihr Administrator trägt ihn in die Einstellungen ein.',
    },
    APPROVAL_UNSIGNED: {
      fix: 'Unterschreiben Sie mit Ihrem Passkey. Ihr Administrator trägt ihn in die Einstellungen ein.',
    },
    ANSWER_UNSIGNED: {
      fix: 'Unterschreiben Sie mit Ihrem Passkey. Ihr Administrator trägt ihn in die Einstellungen ein.',
    },
    APPROVAL_FORGED: {
      fix: 'Unterschreiben Sie mit Ihrem eigenen Passkey, oder lassen Sie Ihren neuen für künftige Pläne eintragen.',
    },
    APPROVAL_NOT_NEEDED: { fix: 'Laden Sie die Seite neu: sie zeigt, worauf der Stapel wartet.' },
    APPROVAL_FOR_ANOTHER: {
      fix: 'Laden Sie die Seite neu, sehen Sie den Stapel an, wie er jetzt ist, und unterschreiben Sie.',
    },
    APPROVAL_TOO_LONG: { fix: 'Laden Sie die Seite neu, und unterschreiben Sie noch einmal.' },
    APPROVAL_REPEATED: {
      fix: 'Jemand anderes muss freigeben: die Seite "Zu tun" nennt, wer darf.',
    },
    APPROVAL_BY_SUBMITTER: {
      fix: 'Lassen Sie jemand anderen freigeben. Ihren eigenen Stapel dürfen Sie abbrechen.',
    },
    APPROVER_UNKNOWN: {
      fix: 'Lassen Sie einen von ihnen freigeben. Ihr Administrator kann jemanden für künftige Pläne eintragen.',
    },
    APPROVER_NOT_ENTITLED: {
      fix: 'Lassen Sie einen von ihnen freigeben: die Seite "Zu tun" nennt, wer darf.',
    },
    APPROVALS_MISSING: {
      fix: 'Reichen Sie die Datei unter einem anderen Namen ein, und lassen Sie sie neu freigeben.',
    },
    HOLD_APPROVALS_MISSING: { fix: 'Lassen Sie die freigeben, die die Seite "Zu tun" nennt.' },
    REFUSED_BY_APPROVER: {
      fix: 'Klären Sie es mit ihnen. Sollen die Zeilen doch bezahlt werden, reichen Sie die Datei unter einem anderen Namen ein.',
    },
    REFUSAL_UNPROVEN: {
      fix: 'Ihr Administrator sollte prüfen, wer Zugriff auf die laufenden Stapel hat. Sollen die Zeilen bezahlt werden, reichen Sie die Datei unter einem anderen Namen ein.',
    },
    BATCH_NOT_FOUND: { fix: 'Die Seite "Stapel" hat alle.' },
    BATCH_PRUNED: {
      what: 'Die Zeilen dieses Stapels wurden nach ihrer Zeit entfernt.',
      fix: 'Die Zeilen stehen in Ihrer eigenen Kopie der Datei.',
    },
    BATCH_OPEN: { fix: 'Warten Sie auf sein Ende. Die Seite verfolgt ihn von selbst.' },
    BATCH_ENDED: { fix: 'Lesen Sie seinen Bericht auf der Seite des Stapels.' },
    BATCH_STOPPED: {
      fix: 'Warten Sie auf sein Ende. Was nicht gesendet wurde, kann dann noch einmal bezahlt werden.',
    },
    ALREADY_PAUSED: { fix: 'Er geht weiter, wenn jemand ihn fortsetzt.' },
    NOTHING_TO_PAUSE: { fix: 'Verfolgen Sie ihn auf seiner Seite.' },
    NOT_HELD: { fix: 'Laden Sie die Seite neu: jetzt hält ihn nichts auf.' },
    HOLD_NOT_OPEN: { fix: 'Laden Sie die Seite neu: sie zeigt, was den Stapel jetzt aufhält.' },
    HOLD_UNCLEAR: { fix: 'Setzen Sie sie einzeln auf der Seite des Stapels fort.' },
    HOLD_NEEDS_APPROVAL: { fix: 'Lassen Sie sie freigeben, oder brechen Sie den Stapel ab.' },
    RESUME_BEFORE_PLAN: {
      fix: 'Warten Sie, bis der Stapel geplant ist, und setzen Sie ihn dann fort.',
    },
    CHUNK_NOT_WAITING: {
      fix: 'Laden Sie die Seite neu: sie nennt die Anfragen, die auf eine Antwort warten.',
    },
    ANSWER_IMPOSSIBLE: {
      fix: 'Sehen Sie auf den eigenen Seiten des Dienstes nach, und antworten Sie, dass sie dort ist oder dass nichts bezahlt wurde.',
    },
    CHUNK_SENT_SINCE: {
      fix: 'Laden Sie die Seite neu, sehen Sie noch einmal beim Dienst nach, und antworten Sie auf das, was die Seite jetzt sagt.',
    },
    ADOPT_DIFFERS: {
      fix: 'Suchen Sie die richtige beim Dienst, oder geben Sie eine andere Antwort.',
    },
    ROW_NOT_FOUND: { fix: 'Die Seite des Stapels hat alle Zeilen.' },
    WORD_NOT_FOUND: {
      why: 'Gesucht wird nur in Stapeln dieses Kontos. Zeilen, die nach ihrer Zeit entfernt wurden, werden nicht über Adresse oder Referenz gefunden.',
      fix: 'Geben Sie das ganze Wort so ein, wie es in der Datei steht.',
    },
    RESEND_EXISTS: {
      fix: 'Sehen Sie diesen Stapel an. Ist er zu Ende, können seine fehlgeschlagenen Zeilen noch einmal bezahlt werden.',
    },
    RESEND_REJECTED: {
      why: 'Keine seiner Zeilen sollte je bezahlt werden.',
      fix: 'Korrigieren Sie, was ihn aufhielt, und reichen Sie die Datei unter einem anderen Namen ein.',
    },
    RESEND_NOTHING: {
      fix: 'Unten steht, was aus jeder Zeile wurde. Klären Sie die unklaren beim Dienst, bevor Sie sie noch einmal zahlen.',
    },
    RESEND_UNSTATED: { fix: 'Vergewissern Sie sich, und bestätigen Sie es dann auf dieser Seite.' },
    RESEND_CHANGED: {
      fix: 'Laden Sie die Seite neu, sehen Sie die Zeilen an, und zahlen Sie dann.',
    },
    RESEND_OUTDATED: {
      fix: 'Nichts davon wurde gesendet. Sehen Sie die Zeilen an, und zahlen Sie noch einmal, was übrig ist.',
    },
    REPORT_GONE: { fix: 'Ihr Administrator kann den Bericht neu schreiben.' },
    REPORT_MISSING: { fix: 'Ihr Administrator kann den Bericht neu schreiben.' },
    REPORT_DAMAGED: {
      fix: 'Behalten Sie die Datei. Ihr Administrator kann den Bericht neu schreiben.',
    },
    REPORT_FILE_CHANGED: {
      fix: 'Behalten Sie die Datei. Ihr Administrator kann den Bericht neu schreiben; der Unterschied zeigt, was geändert wurde.',
    },
    REPORT_FILE_GONE: {
      fix: 'Ihr Administrator kann herausfinden, wer sie entfernt hat, und den Bericht neu schreiben.',
    },
    SCHEDULE_NOT_FOUND: { fix: 'Die Seite "Zeitpläne" hat alle.' },
    WORKER_SILENT: { fix: 'Ihr Administrator muss einen Worker starten.' },
    TEMPORAL_UNREACHABLE: {
      fix: 'Versuchen Sie es gleich noch einmal. Ihr Administrator kann nachsehen, warum sie nicht läuft.',
    },
  },
  askOperator: 'Ihr Administrator kann helfen.',
};
