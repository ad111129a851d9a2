import { z } from 'zod';
import { TariffInput, tariffRecord, type Tariffs } from '../../tariffs.ts';
import { RequiredText } from '../fields.ts';
import { type AdminRoute, type AdminValue, adminRoute, Nothing } from './route.ts';

const PATH = '/sandbox/tariffs';

/**
 * GET and POST /sandbox/tariffs: what the service takes, by currency. A tariff of null gives the
 * currency back to the settings.
 */
export function tariffRoutes(tariffs: Tariffs): AdminRoute[] {
  const answer = (): AdminValue => ({
    tariffs: tariffs.list().map(([currency, tariff]) => ({ currency, ...tariffRecord(tariff) })),
  });
  return [
    adminRoute({ method: 'GET', path: PATH, input: Nothing, answer }),
    adminRoute({
      method: 'POST',
      path: PATH,
      input: z.strictObject({ currency: RequiredText, tariff: TariffInput.nullable() }),
      answer: ({ currency, tariff }) => {
        tariffs.change(currency, tariff);
        return answer();
      },
    }),
  ];
}
