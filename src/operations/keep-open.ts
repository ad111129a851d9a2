import type { Settings } from '../config.ts';
import type { Store } from '../store/index.ts';
import type { Openers } from './context.ts';
import type { Engine } from './engine/engine.ts';

type SettingsPlace = Parameters<Openers['settings']>[0];

/** Openers that keep their connections and files open, until `close`. */
export type KeptOpeners<Open extends Openers> = Open & Readonly<{ close(): Promise<void> }>;

/**
 * Lets several operations use one store and one connection to Temporal: a store that one of them closes stays open for the next.
 * The warnings of the settings come once.
 */
export function keepOpen<Open extends Openers>(open: Open): KeptOpeners<Open> {
  const stores = new Map<string, Promise<Store>>();
  const engines = new Map<string, Promise<Engine>>();
  const read: { place: SettingsPlace; settings: Promise<Settings> }[] = [];
  return {
    ...open,
    async settings(place) {
      const known = read.find((one) => one.place.env === place.env && one.place.cwd === place.cwd);
      if (known !== undefined) return { ...(await known.settings), warnings: [] };
      const settings = open.settings(place);
      read.push({ place, settings });
      return settings;
    },
    async store(settings) {
      const { url } = settings.store;
      const kept = stores.get(url) ?? open.store(settings);
      stores.set(url, kept);
      // The next operation may find a store that can be opened.
      kept.catch(() => stores.delete(url));
      return { ...(await kept), snapshot: ofItsOwn(open, settings), close: nothing };
    },
    async engine(settings, env, patience) {
      const place = JSON.stringify(settings.temporal);
      const kept = engines.get(place) ?? open.engine(settings, env, patience);
      engines.set(place, kept);
      // The next operation may have more patience.
      kept.catch(() => engines.delete(place));
      return { ...(await kept), close: nothing };
    },
    async close() {
      for (const kept of [...engines.values(), ...stores.values()]) {
        await kept.then((one) => one.close()).catch(nothing);
      }
    },
  };
}

/** A snapshot has a connection of its own: of the kept one it would lock out the other operations. */
const ofItsOwn =
  ({ store: open }: Openers, settings: Settings): Store['snapshot'] =>
  async (work) => {
    const store = await open(settings);
    try {
      return await store.snapshot(work);
    } finally {
      await store.close();
    }
  };

const nothing = async (): Promise<void> => undefined;
