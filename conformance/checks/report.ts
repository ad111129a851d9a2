import { all, type Check } from '../check.ts';
import type { Service } from '../service.ts';
import { isError, succeeded } from '../shape.ts';

const UTC = {
  totalSeconds: 0,
  id: 'Z',
  rules: { fixedOffset: true, transitions: [], transitionRules: [] },
};

const PAYLOAD = {
  firstDate: '2026-01-01T00:00:00Z',
  lastDate: '2026-02-01T00:00:00Z',
  blockchainList: 'TRON',
  zoneOffset: UTC,
};

const ask = (service: Service, payload: unknown) => service.send('REPORT', { payload });

export const reportChecks: readonly Check[] = [
  {
    id: 'report-request',
    section: 'Report request',
    sentence:
      'A report is asked for with firstDate, lastDate, blockchainList and zoneOffset, all required.',
    needs: ['REPORT'],
    leaves: 'nothing',
    try: (service) =>
      all(
        async () => succeeded(await ask(service, PAYLOAD)),
        ...Object.keys(PAYLOAD).map(
          (name) => async () => isError(await ask(service, { ...PAYLOAD, [name]: undefined })),
        ),
      ),
  },
];
