import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Settings } from '../../../config.ts';
import { BursarError } from '../../../domain/errors/bursar-error.ts';
import { EXIT } from '../../../domain/errors/exit-codes.ts';
import { formatAmount, parseAmount, sumAmounts } from '../../../domain/money/amount.ts';
import { totalsText } from '../../../domain/plan/control-totals.ts';
import { differencesOf } from '../../../domain/sending/verify.ts';
import { moneyText } from '../../../domain/text/money-text.ts';
import type { MassPayout } from '@bursar/merchant-api';
import { loadSettings } from '../../../operations/batch/sources.ts';
import type { Context } from '../../context.ts';
import { confirm } from '../../../operations/prompts/confirm.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { flag, operation, optionalFlag } from '../../operation-table/operation.ts';
import { render } from '../../operation-table/printout.ts';
import { readJsonPayload } from '../../operation-table/read-fields.ts';
import { STDIN } from '../../operation-table/read-stdin.ts';
import { printable } from '../../terminal/printable.ts';
import { amount, currency, instant, text } from './fields.ts';
import { massPayoutText } from './mass-payout-text.ts';
import { withApi } from './operations.ts';
import { ask } from '../../../operations/service/ask.ts';

const Payload = z.strictObject({
  currency,
  massAddresses: z
    .array(z.strictObject({ depositAddress: text, amount, comment: text.exactOptional() }), {
      error: 'must be a list of recipients',
    })
    .min(1, { error: 'must not be empty' }),
  idempotencyKey: z.guid({ error: keyMessage }),
  name: text.exactOptional(),
  comment: text.exactOptional(),
  executionDate: instant.exactOptional(),
  externalId: text.exactOptional(),
});

type Payload = z.output<typeof Payload>;

/** A key that is made up in passing is lost with the answer, so the caller is given one to write down. */
function keyMessage({ input }: Readonly<{ input?: unknown }>): string {
  if (input !== undefined) return 'must be a UUID';
  return `is needed: choose one, such as ${randomUUID()}, and write it down first`;
}

/**
 * One create request, sent once, without the engine's protection. The caller gives the key, and so has it before the
 * call.
 */
export const createPayout = operation({
  name: 'create-payout',
  summary: "create a mass payout, without the engine's protection",
  description: [
    'Creates a mass payout by one call, without the protection of "bursar submit":',
    'addresses and balance are not checked, nothing is stored or reported.',
    '',
    'The payload: {"currency":"USDT_TRC20","idempotencyKey":"<uuid>",',
    '  "massAddresses":[{"depositAddress":"T...","amount":"12.5"}]}',
    'It may have name, comment, executionDate and externalId, and each recipient',
    'a comment. Amounts are text. Choose the idempotencyKey yourself, write it down',
    'before the call, and use it for nothing else.',
  ].join('\n'),
  fields: {
    json: flag('<json>', 'payload as JSON, or - for standard input', text),
    confirm: optionalFlag('--confirm <total>', 'confirm what is paid: TOTAL:CURRENCY', text),
  },
  run: pay,
});

type CreatePayoutFlags = Readonly<{ json: string; confirm?: string }>;

/** Throws PAYOUT_OUTSIDE_POLICY. */
async function pay(flags: CreatePayoutFlags, context: Context): Promise<number> {
  refuseOutsidePolicy(await loadSettings(context));
  const payload = await readJsonPayload(Payload, flags.json, context);
  const total = formatAmount(
    sumAmounts(payload.massAddresses.map((recipient) => parseAmount(recipient.amount))),
  );
  const look = `bursar api payout --key ${payload.idempotencyKey}`;
  context.say(warningText(payload, total, look));
  await confirmTotal({ currency: payload.currency, total }, flags, context);
  return withApi(context, async (service) => {
    // From here on a Ctrl-C ends nothing: the answer of a call that was made is worth waiting for.
    context.interrupted.throwIfAborted();
    const created = await ask(service, { call: (api) => api.createMassPayout(payload), look });
    const schema = 'bursar.api-payout/v1';
    const shown = massPayoutText(created, context);
    await render({ schema, record: created, text: shown }, context);
    return judge({ payload, total, account: service.account }, created, context);
  });
}

/** Under a signed policy one person would pay without approvals. Several payouts below a tier would pass the tier, too. */
function refuseOutsidePolicy({ rules }: Settings): void {
  if (rules.approval?.mode === 'signed') throw new BursarError('PAYOUT_OUTSIDE_POLICY', {});
}

const warningText = (payload: Payload, total: string, look: string): string =>
  [
    `This pays ${moneyText(total, payload.currency)} (recipients: ${payload.massAddresses.length}) without the engine:`,
    'addresses and balance are not checked, nothing is stored or reported, and the call is made once.',
    `If its answer is lost, look the payout up before you do anything else: ${look}`,
  ].join('\n');

/** As for `submit`: a person types the total, a script gives it. There is no `--yes`. */
async function confirmTotal(
  line: Readonly<{ currency: string; total: string }>,
  flags: CreatePayoutFlags,
  context: Context,
): Promise<void> {
  const mayAsk = context.mayAsk && flags.json !== STDIN;
  if (flags.confirm === undefined && !mayAsk) {
    throw flagInvalid(
      '--confirm',
      `is needed, as this moves money: --confirm ${totalsText([line])}`,
    );
  }
  await confirm([line], flags, { ...context, mayAsk });
}

type Asked = Readonly<{ payload: Payload; total: string; account: string }>;

/** A service may answer a key that it has already with the record of another payload. */
function judge(asked: Asked, created: MassPayout, context: Context): number {
  const { payload, total, account } = asked;
  const { idempotencyKey, externalId = created.externalId ?? '' } = payload;
  const intent = { idempotencyKey, account, currency: payload.currency, total, externalId };
  const differences = differencesOf(intent, created);
  if (differences.length === 0) return EXIT.done;
  const told = differences.map(printable).join('; ');
  context.say(`Warning: this mass payout differs from the request: ${told}.`);
  return EXIT.needsOperator;
}
