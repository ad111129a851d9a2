import { showPlace } from '../../app/account/place.ts';
import { exitCodeOfError, EXIT } from '../../domain/errors/exit-codes.ts';
import { placeWords, type ServicePlace } from '../../domain/service/place.ts';
import { type WhoAmI, whoAmI } from '../../operations/service/who-am-i.ts';
import { shownPath } from '../../operations/text/shown-path.ts';
import type { Context } from '../context.ts';
import { perform } from '../perform.ts';
import { errorText } from '../print/error.ts';
import { printResult } from '../print/output.ts';
import { answersAsSandbox } from '../sandbox/answers-as-sandbox.ts';
import { printable } from '../terminal/printable.ts';
import { factLines } from '../terminal/table.ts';

type Fact = readonly [name: string, value: string];

/** `bursar whoami`: where a command works and as whom. With `--check` the exit code is that of the first failed check. */
export async function whoami(
  { check = false }: Readonly<{ check?: boolean }>,
  context: Context,
): Promise<number> {
  if (context.server !== undefined) return whoAtServer(context.server.url, context);
  const answer = await whoAmI({ check }, context);
  const { service, checks } = answer;
  const isSandbox = check && service !== null ? await answersAsSandbox(service, context) : null;
  const json = { ...answer, server: null, isSandbox };
  const lines = [
    ...linesOf([...placeFacts(answer, context), ...ownFacts(answer, context)]),
    ...(checks ?? []).flatMap(({ name, problem }) =>
      problem === null
        ? [`  ${context.colours.green('ok')}  ${name} answers`]
        : ['', errorText(problem, context)],
    ),
    ...sandboxLines(answer, isSandbox),
  ];
  printResult(context, { json, text: lines.join('\n') });
  const failed = checks?.find(({ problem }) => problem !== null)?.problem ?? null;
  return failed === null ? EXIT.done : exitCodeOfError(failed);
}

/** Store, Temporal and keys are those of the server, which shows them to nobody. */
async function whoAtServer(url: string, context: Context): Promise<number> {
  const { schema: _, version, ...place } = await perform(showPlace, {}, context);
  const facts: Fact[] = [['server', url], ...placeFacts(place, context), ['version', version]];
  const json = { schema: 'bursar.whoami/v1', server: url, ...place, version };
  printResult(context, { json, text: linesOf(facts).join('\n') });
  return EXIT.done;
}

const linesOf = (facts: readonly Fact[]): string[] =>
  // The environment has colours, and no text of a stranger.
  factLines(facts.map(([name, value]) => [name, name === ENVIRONMENT ? value : printable(value)]));

const ENVIRONMENT = 'environment';
const NOT_SET = 'not set';

function placeFacts(place: ServicePlace, { colours }: Context): Fact[] {
  const { environment } = placeWords(place);
  const paint = environment === 'LIVE' ? colours.red : colours.green;
  return [
    [ENVIRONMENT, environment === null ? 'unknown' : colours.bold(paint(environment))],
    ['service', place.service ?? `${NOT_SET} (api.base_url)`],
    ['account', place.account ?? `${NOT_SET} (api.account)`],
    ['profile', place.profile ?? 'none'],
  ];
}

function ownFacts(answer: WhoAmI, { cwd }: Context): Fact[] {
  const { accountName, keyId, settingsFile, signingKeyFile, temporal } = answer;
  const { address, namespace, taskQueue } = temporal;
  return [
    ...(accountName === null ? [] : [['account name', accountName] as const]),
    ['key id', keyId ?? `${NOT_SET} (api.key)`],
    ['settings', settingsFile === null ? 'no bursar.toml' : shownPath(settingsFile, cwd)],
    ['store', answer.store],
    ['files', answer.files],
    ['Temporal', `${address}, namespace ${namespace}, queue ${taskQueue}`],
    ['user', answer.user],
    [
      'signs with',
      signingKeyFile === null ? 'no key (operator.key_file)' : shownPath(signingKeyFile, cwd),
    ],
    ['version', answer.version],
  ];
}

/** Warns where the environment that commands show is not the one that the service shows. */
function sandboxLines({ environment }: WhoAmI, isSandbox: boolean | null): string[] {
  if (isSandbox === null || isSandbox === (environment === 'SANDBOX')) return [];
  return isSandbox
    ? ['  The service is a sandbox. Set api.environment = "sandbox", so that commands show it.']
    : ['  The service is no sandbox of Bursar. Set api.environment = "live" if its money is real.'];
}
