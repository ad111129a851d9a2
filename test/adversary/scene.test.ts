import { expect, it } from '@jest/globals';
import { setTheScene, openCopy, VICTIMS } from './support/victims.ts';

it('sets a scene', async () => {
  const t0 = Date.now();
  const scene = await setTheScene();
  const t1 = Date.now();
  const world = await openCopy(scene);
  const t2 = Date.now();
  for (const id of VICTIMS) {
    const batch = await world.store.batches.find(id);
    const chunks = await world.store.chunks.list(id);
    console.log(id, batch?.digest?.slice(0,12), batch?.releasedAtMs, batch?.endState, chunks.map((c) => [c.state, c.final, c.massPayoutId]), await world.store.holds.open(id));
  }
  console.log(t1 - t0, t2 - t1, scene.service, scene.statements.length);
  await world.close();
  expect(1).toBe(1);
});
