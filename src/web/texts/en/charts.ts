/** Pictures of numbers over time. */
export const EN_CHARTS = {
  charts: {
    table: 'The numbers as a table',
    time: 'Time',
    done: 'Done',
    progress: 'Since this page was opened',
    progressAbout: (from: string, to: string, total: string) =>
      `From ${from} to ${to} of ${total} payments done.`,
    balance: (currency: string) => `${currency}: what the account will hold`,
    balanceAbout: (now: string, last: string) =>
      `Now ${now}, at the end ${last}. Money that comes in is not known and not counted.`,
    left: 'Left then',
    dueThen: 'Due then',
  },
};
