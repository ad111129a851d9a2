import { z } from 'zod';
import type { AdminAnswer } from '../../admin/index.ts';
import { TariffInput, tariffRecord, type Tariffs } from '../../tariffs.ts';
import { RequiredText } from '../fields.ts';
import { type AdminRoute, adminRoute, Nothing } from './route.ts';

/**
 * GET and POST /sandbox/tariffs: the tariffs by currency. With a tariff of null the settings decide
 * again.
 */
export function tariffRoutes(tariffs: Tariffs): AdminRoute[] {
  const answer = (): AdminAnswer<'GET /tariffs'> => ({
    tariffs: tariffs.list().map(([currency, tariff]) => ({ currency, ...tariffRecord(tariff) })),
  });
  return [
    adminRoute({ endpoint: 'GET /tariffs', input: Nothing, answer }),
    adminRoute({
      endpoint: 'POST /tariffs',
      input: z.strictObject({ currency: RequiredText, tariff: TariffInput.nullable() }),
      answer: ({ currency, tariff }): AdminAnswer<'POST /tariffs'> => {
        tariffs.change(currency, tariff);
        return answer();
      },
    }),
  ];
}
