/** Asks the sandbox of a test to misbehave, or to give money. */
export const sandboxControl = (sandboxUrl: string) => {
  const post = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(`${sandboxUrl}/sandbox/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  };
  return {
    fault: (rule: object) => post('faults', rule),
    topUp: (currency: string, amount: string) => post('top-up', { currency, amount }),
    /** How often the faults that were asked for have fired; a fault that did not fire proves nothing. */
    async fired(): Promise<number> {
      const answer = await fetch(`${sandboxUrl}/sandbox/faults`);
      const { faults } = (await answer.json()) as { faults: { fired: number }[] };
      return faults.reduce((sum, { fired }) => sum + fired, 0);
    },
    clearFaults: async (): Promise<void> => {
      await fetch(`${sandboxUrl}/sandbox/faults`, { method: 'DELETE' });
    },
  };
};
