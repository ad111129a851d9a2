/** Largest number of characters of an id in a webhook. A longer text is no id. */
export const WEBHOOK_ID_LENGTH_MAX = 200;

/** A longer field name does not count as a field that holds an id. */
const NAME_LENGTH_MAX = 100;

/** Fields that hold an id: `id`, `payoutId`, `mass_payout_id`, `idempotencyKey`, `reference` ... */
const NAMING_FIELD = /(?:id|ids|key|keys|uuids?|guids?|references?)$/;

const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;

export type IdCollector = ReturnType<typeof createIdCollector>;

/**
 * Collects up to `idsMax` different strings that may be ids, and drops the others. `ownShape` matches ids of the caller in any
 * text.
 */
export function createIdCollector(idsMax: number, ownShape?: RegExp) {
  const ids = new Set<string>();

  function add(id: string): void {
    if (ids.size < idsMax && id !== '' && id.length <= WEBHOOK_ID_LENGTH_MAX) ids.add(id);
  }

  function addShapesIn(text: string): void {
    for (const [uuid] of text.matchAll(UUID)) {
      add(uuid);
      // A caller holds keys in lower case, and the service may return them in upper case.
      add(uuid.toLowerCase());
      if (ids.size >= idsMax) return;
    }
    if (ownShape === undefined) return;
    for (const [ownId] of text.matchAll(ownShape)) add(ownId);
  }

  return {
    /**
     * Adds the value when the field's name ends like an id, and every id-shaped text in the value.
     */
    addField(name: string, value: string): void {
      if (isNamingField(name)) add(value);
      addShapesIn(value);
    },
    addShapesIn,
    isFull: (): boolean => ids.size >= idsMax,
    list: (): string[] => [...ids],
  };
}

function isNamingField(name: string): boolean {
  if (name.length > NAME_LENGTH_MAX) return false;
  return NAMING_FIELD.test(name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));
}
