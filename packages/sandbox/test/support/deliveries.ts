import type { Client } from './client.ts';

export type DeliveryJson = Readonly<{
  id: number;
  subscription: string;
  type: string;
  account: string;
  body: string;
  fault: string | null;
  status: string;
  createdDate: string;
  nextDate: string | null;
  attempts: readonly Readonly<{ time: string; status: number | null; reason: string | null }>[];
}>;

export type DeliveriesJson = Readonly<{
  deliveries: readonly DeliveryJson[];
  next: number | null;
}>;

export async function deliveries(client: Client, query = ''): Promise<DeliveriesJson> {
  const { status, text } = await client.get(`/sandbox/deliveries${query}`);
  if (status !== 200) throw new Error(`The sandbox answered ${status}: ${text}`);
  return JSON.parse(text) as DeliveriesJson;
}

/** Triggers `count` events of a type. */
export async function trigger(client: Client, type: string, count = 1): Promise<void> {
  for (let event = 0; event < count; event += 1) {
    const { status, text } = await client.admin('POST', '/sandbox/events', { type });
    if (status !== 200) throw new Error(`The sandbox answered ${status}: ${text}`);
  }
}
