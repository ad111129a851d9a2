import { type Env, readKnownSecrets, type Settings } from '../../config.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { withSources } from '../../operations/batch/sources.ts';
import { readSnapshot } from '../../operations/batch/standing.ts';
import type { Context } from '../context.ts';
import { readBatchId } from '../../domain/batch/batch-id.ts';
import { gatherBundle } from '../../operations/support/bundle.ts';
import { formsOf, redact } from '../../operations/support/redact.ts';

type SupportBundleFlags = Readonly<{ batch: string; withAddresses?: boolean }>;

/**
 * `bursar support-bundle BATCH`: prints one JSON object for a helper, without secrets and signatures, and without
 * addresses unless a flag adds them. Throws the errors of reading the secrets: a secret that cannot be read cannot be
 * left out.
 */
export async function supportBundle(flags: SupportBundleFlags, context: Context): Promise<number> {
  const batchId = readBatchId(flags.batch);
  const addresses = flags.withAddresses ?? false;
  return withSources(context, async (sources) => {
    const standing = await readSnapshot(sources, batchId);
    const secrets = await knownSecrets(sources.settings, context.env);
    const gathered = await gatherBundle(sources, { standing, addresses });
    const text = JSON.stringify(
      redact({ ...headOf(context), ...gathered }, { secrets, addresses }),
    );
    refuseSecrets(text, secrets);
    context.print(context.format === 'jsonl' ? text : JSON.stringify(JSON.parse(text), null, 2));
    context.say(
      `It holds no secrets and no signatures${addresses ? '' : ', and no addresses'}. Read it before you send it.`,
    );
    return EXIT.done;
  });
}

/** Those of the settings, and the key of Temporal's profile, which has settings of its own. */
async function knownSecrets(settings: Settings, env: Env): Promise<(string | Uint8Array)[]> {
  const { loadTemporalAccess } = await import('../../codec/temporal-access.ts');
  const { apiKey } = loadTemporalAccess(settings, env).connectionOptions;
  const known = readKnownSecrets(settings, env);
  return typeof apiKey === 'string' ? [...known, apiKey] : known;
}

const headOf = ({ version, nodeVersion, clock }: Context) => ({
  schema: 'bursar.support-bundle/v1',
  madeAt: new Date(clock.nowMs()).toISOString(),
  versions: { bursar: version, node: nodeVersion },
});

/** The last check: a bundle that holds a secret is never printed. */
function refuseSecrets(text: string, secrets: readonly (string | Uint8Array)[]): void {
  if (!secrets.flatMap(formsOf).some((form) => text.includes(form))) return;
  throw new BursarError('INTERNAL', { message: 'a secret would stand in the support bundle' });
}
