/** Ends what the global set-up started, if it started anything. */
export default async function tearDown() {
  await globalThis.stopSharedTemporal?.();
}
