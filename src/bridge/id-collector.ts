/** Longer strings are no ids. */
export const ID_LENGTH_MAX = 200;
/** Longer names are no field names. */
const NAME_LENGTH_MAX = 100;

/** Fields that name something: `id`, `payoutId`, `mass_payout_id`, `idempotencyKey`, `uuids`, `reference` ... */
const NAMING_FIELD = /(?:id|ids|key|keys|uuids?|guids?|references?)$/;

const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;
/**
 * `<batchId>/<chunk>/<generation>`; see `domain/sending/identity.ts`.
 * It starts only where a word starts: otherwise a long word would be tried from each of its letters.
 */
const EXTERNAL_ID = /(?<![\w.-])[a-z0-9][\w.-]{0,63}\/\d{1,9}\/\d{1,9}/gi;

export type IdCollector = ReturnType<typeof createIdCollector>;

/** Gathers different strings that may be ids, up to a number; what comes later is left out. */
export function createIdCollector(idsMax: number) {
  const ids = new Set<string>();

  function add(id: string): void {
    if (ids.size < idsMax && id !== '' && id.length <= ID_LENGTH_MAX) ids.add(id);
  }

  function addShapesIn(text: string): void {
    for (const [uuid] of text.matchAll(UUID)) {
      add(uuid);
      // Our own keys are written in small letters, whatever the service makes of them.
      add(uuid.toLowerCase());
      if (ids.size >= idsMax) return;
    }
    for (const [externalId] of text.matchAll(EXTERNAL_ID)) add(externalId);
  }

  return {
    /** Takes a field's value if the name says that it is an id, and what in it has the shape of one of ours. */
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
