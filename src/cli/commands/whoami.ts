import { exitCodeOfError, EXIT } from '../../domain/errors/exit-codes.ts';
import { placeWords } from '../../domain/service/place.ts';
import { type WhoAmI, whoAmI } from '../../operations/service/who-am-i.ts';
import { shownPath } from '../../operations/text/shown-path.ts';
import type { Context } from '../context.ts';
import { errorText } from '../print/error.ts';
import { printResult } from '../print/output.ts';
import { printable } from '../terminal/printable.ts';
import { factLines } from '../terminal/table.ts';

/** `bursar whoami`: where a command works and as whom. With `--check` the exit code is that of the first failed check. */
export async function whoami(
  { check = false }: Readonly<{ check?: boolean }>,
  context: Context,
): Promise<number> {
  const answer = await whoAmI({ check }, context);
  printResult(context, { json: answer, text: textOf(answer, context) });
  const failed = answer.checks?.find(({ problem }) => problem !== null)?.problem ?? null;
  return failed === null ? EXIT.done : exitCodeOfError(failed);
}

const NOT_SET = 'not set';

function textOf(answer: WhoAmI, context: Context): string {
  const { environment } = placeWords(answer);
  const { colours, cwd } = context;
  const paint = environment === 'LIVE' ? colours.red : colours.green;
  const { temporal, checks, settingsFile, signingKeyFile } = answer;
  const facts: (readonly [string, string])[] = [
    ['environment', environment === null ? 'unknown' : colours.bold(paint(environment))],
    ['service', answer.service ?? `${NOT_SET} (api.base_url)`],
    ['account', accountText(answer)],
    ['key id', answer.keyId ?? `${NOT_SET} (api.key)`],
    ['profile', answer.profile ?? 'none'],
    ['settings', settingsFile === null ? 'no bursar.toml' : shownPath(settingsFile, cwd)],
    ['store', answer.store],
    ['files', answer.files],
    [
      'Temporal',
      `${temporal.address}, namespace ${temporal.namespace}, queue ${temporal.taskQueue}`,
    ],
    ['user', answer.user],
    [
      'signs with',
      signingKeyFile === null ? 'no key (operator.key_file)' : shownPath(signingKeyFile, cwd),
    ],
    ['version', answer.version],
  ];
  return [
    ...factLines(
      facts.map(([name, value]) => [name, name === 'environment' ? value : printable(value)]),
    ),
    ...(checks ?? []).flatMap(({ name, problem }) =>
      problem === null
        ? [`  ${colours.green('ok')}  ${name} answers`]
        : ['', errorText(problem, context)],
    ),
  ].join('\n');
}

function accountText({ account, accountName }: WhoAmI): string {
  const name = accountName === null ? '' : ` (${accountName})`;
  return account === null ? `${NOT_SET} (api.account)${name}` : `${account}${name}`;
}
