// Health check of a container: ends with 0 when the program of this very container works.
//   node healthy.mjs            it needs no restart: /livez of its admin port
//   node healthy.mjs /readyz    it has all that it needs
//   node healthy.mjs URL        this address answers, for programs without an admin port
const [place = '/livez'] = process.argv.slice(2);
const port = process.env.BURSAR_ADMIN_PORT;
const url = place.startsWith('/') ? `http://127.0.0.1:${port}${place}` : place;
const TIMEOUT_MS = 5_000;

try {
  const { ok } = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  process.exit(ok ? 0 : 1);
} catch {
  process.exit(1);
}
