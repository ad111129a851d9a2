import type { EN_CHARTS } from '../en/charts.ts';

export const DE_CHARTS: typeof EN_CHARTS = {
  charts: {
    table: 'Die Zahlen als Tabelle',
    time: 'Zeit',
    done: 'Erledigt',
    progress: 'Seit diese Seite geöffnet wurde',
    progressAbout: (from: string, to: string, total: string) =>
      `Von ${from} auf ${to} von ${total} erledigten Zahlungen.`,
    balance: (currency: string) => `${currency}: was das Konto haben wird`,
    balanceAbout: (now: string, last: string) =>
      `Jetzt ${now}, am Ende ${last}. Geld, das hereinkommt, ist nicht bekannt und nicht mitgezählt.`,
    left: 'Dann übrig',
    dueThen: 'Dann fällig',
  },
};
