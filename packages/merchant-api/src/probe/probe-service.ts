import { compact } from '../compact.ts';
import type { MerchantClientOptions } from '../options.ts';
import {
  type Endpoints,
  KNOWN_ENDPOINTS,
  type MethodAndPath,
  type Operation,
  OPERATIONS,
  readEndpoint,
} from '../spec/endpoints.ts';
import { askNowhere, type KnownPayout, memberOf } from './ask-reads.ts';
import { type Asker, askerWith, createAsker, METHOD_DEFAULT, type ProbePace } from './asker.ts';
import { chooseAccountIn, chooseMassGet, choosePageBase } from './choose-shapes.ts';
import { OPEN_COSTS, OPERATION_COSTS } from './costs.ts';
import { findAccess } from './find-access.ts';
import { findReads, type FoundReads } from './find-reads.ts';
import {
  askOther,
  askPages,
  OTHER_READS,
  type OtherAnswer,
  type OtherRead,
} from './other-reads.ts';
import { OTHER_PATHS } from './other-paths.ts';
import { type ProbeAnswer, wordsOf } from './probe-answer.ts';
import type { ProbeReport, ReportDraft } from './report.ts';

/** What a probe may know of the service beforehand, and its pace. */
export type ProbeChoices = ProbePace & {
  /** A mass payout of the account. A read that returns it is proof. */
  readonly known?: KnownPayout;
  /** Endpoints that a description of the service has, in place of those of `endpoints`. See `endpointsOfOpenApi`. */
  readonly described?: Partial<Endpoints>;
};

/** Options of `probeService`: those of a client, and more. */
export type ProbeOptions = MerchantClientOptions & ProbeChoices;

/** What one probe has found so far. */
type Probing = Readonly<{
  asker: Asker;
  draft: ReportDraft;
  pathControl: ProbeAnswer;
  /** Whether each operation carries `account`, where its answers showed it. */
  carried: Map<Operation, boolean>;
}>;

/**
 * Finds out how a service behaves where the specification leaves it open: the shapes of requests, and the paths of the
 * operations. It sends signed reads alone, one at a time, at most 60 (`PROBE_REQUESTS_MAX`), and never a request to the
 * path of an operation that creates, changes or deletes an object.
 *
 * A read of a random object is refused. Its refusal is compared with those of surely wrong requests: the same refusal
 * shows that the service did not understand the read, another one that it did. With `known` the record itself is proof.
 * Spec: "Endpoints", "Errors".
 *
 * @throws MerchantApiError the refusal of ACCOUNT when the service takes no form of account and time, or no answer; and
 * after an abort. TypeError for wrong options.
 * @example
 * const { shapes, endpoints, open } = await probeService({ baseUrl, key, secret, account });
 * const client = createMerchantClient({ baseUrl, key, secret, account, shapes, endpoints });
 */
export async function probeService(options: ProbeOptions): Promise<ProbeReport> {
  const {
    known,
    described = {},
    requestsPerSecond,
    requestsMax,
    turn,
    signal,
    ...client
  } = options;
  const endpoints = { ...client.endpoints, ...described };
  const pace = compact({ requestsPerSecond, requestsMax, turn, signal });
  const plain = createAsker({ ...client, endpoints }, pace);
  try {
    const { base, value, words } = await findAccess(plain);
    const asker = askerWith(plain, base);
    const draft: ReportDraft = {
      shapes: { ...base },
      endpoints: {},
      findings: [],
      open: [],
      forbidden: [],
    };
    note(draft, ['ACCOUNT', 'served', words]);
    for (const [point, choice] of Object.entries(base))
      note(draft, [point, choice, `ACCOUNT: ${words}`]);
    const accountOfAnswer = memberOf(value, 'account');
    if (typeof accountOfAnswer === 'string')
      note(draft, ['account', accountOfAnswer, `ACCOUNT: ${words}`]);
    const carried = new Map<Operation, boolean>([['ACCOUNT', true]]);
    const probing = { asker, draft, pathControl: await askNowhere(asker), carried };
    await probeReads(probing, known);
    await probeOthers(probing, currencyOf(value));
    chooseAccounts(probing);
    noteDescribed(probing, described);
    return { ...draft, requests: plain.requests() };
  } finally {
    await plain.close();
  }
}

type Note = readonly [point: string, value: string, by: string];

function note(draft: ReportDraft, [point, value, by]: Note): void {
  draft.findings.push({ point, value, by });
}

const noteOpen = (draft: ReportDraft, point: keyof typeof OPEN_COSTS | Operation): void =>
  void draft.open.push({
    point,
    cost:
      point in OPEN_COSTS
        ? OPEN_COSTS[point as keyof typeof OPEN_COSTS]
        : OPERATION_COSTS[point as Operation],
  });

/** MASS_GET and LOOKUP: served where, in which form, with or without account, and whether they find by key. */
async function probeReads(probing: Probing, known: KnownPayout | undefined): Promise<void> {
  const { asker, draft, pathControl, carried } = probing;
  const massGet = await findReads(asker, { operation: 'MASS_GET', pathControl, known });
  takeReads(probing, 'MASS_GET', massGet);
  const isOff = asker.settings.endpoints.LOOKUP === undefined;
  const hasAccount = carried.get('MASS_GET');
  const lookup: FoundReads = isOff
    ? { served: false, verdicts: {}, found: [], words: 'it is switched off' }
    : await findReads(asker, { operation: 'LOOKUP', pathControl, known, hasAccount });
  takeReads(probing, 'LOOKUP', lookup);
  const reads = [massGet, lookup];
  const massGetAccepts = isHidden(reads, known) ? undefined : chooseMassGet(massGet.verdicts);
  if (massGetAccepts === undefined) noteOpen(draft, 'massGetAccepts');
  else {
    draft.shapes = { ...draft.shapes, massGetAccepts };
    note(draft, ['massGetAccepts', massGetAccepts, `MASS_GET ${massGet.words}`]);
  }
  noteLookupByKey(draft, reads, known);
}

/** Whether the service understands reads by key alone, and none of them finds the known mass payout. */
function isHidden(reads: readonly FoundReads[], known: KnownPayout | undefined): boolean {
  const names = reads.flatMap(({ verdicts }) =>
    Object.entries(verdicts).flatMap(([name, verdict]) => (verdict === 'understood' ? [name] : [])),
  );
  const isByKeyAlone = names.length > 0 && names.every((name) => name.endsWith('idempotencyKey'));
  const hasFound = reads.some(({ found }) => found.length > 0);
  return known?.idempotencyKey !== undefined && isByKeyAlone && !hasFound;
}

function takeReads(
  { draft, carried, asker }: Probing,
  operation: 'MASS_GET' | 'LOOKUP',
  reads: FoundReads,
): void {
  const { endpoint = asker.settings.endpoints[operation], hasAccount } = reads;
  takeServed(draft, { ...reads, operation, endpoint });
  if (hasAccount !== undefined) carried.set(operation, hasAccount);
}

type Served = Readonly<{
  operation: Operation;
  served: boolean | undefined;
  isForbidden?: true;
  endpoint: MethodAndPath | undefined;
  words: string;
}>;

function takeServed(draft: ReportDraft, found: Served): void {
  const { operation, served, isForbidden, endpoint, words } = found;
  const place = served === true && endpoint !== undefined ? endpointText(endpoint) : '';
  if (served !== undefined) {
    // The three paths that the spec shows cannot be switched off.
    const isKept = place === '' && operation in KNOWN_ENDPOINTS;
    if (!isKept) draft.endpoints = { ...draft.endpoints, [operation]: place };
    note(draft, [operation, place === '' ? 'not served' : place, words]);
  }
  if (isForbidden) draft.forbidden.push(operation);
  if (place === '') noteOpen(draft, operation);
}

const endpointText = ({ method, path }: MethodAndPath): string =>
  method === METHOD_DEFAULT ? path : `${method} ${path}`;

/** Whether reads by key find anything: only a known mass payout shows it. */
function noteLookupByKey(
  draft: ReportDraft,
  reads: readonly FoundReads[],
  known: KnownPayout | undefined,
): void {
  const found = reads.flatMap((one) => one.found);
  const isByKey = found.some((name) => name.endsWith('idempotencyKey'));
  const isAbsent = found.length > 0 || isHidden(reads, known);
  const words = (reads.find((one) => one.found.length > 0) ?? reads[0])?.words ?? '';
  if (isByKey) note(draft, ['lookupByKey', 'available', words]);
  else if (isAbsent && known?.idempotencyKey !== undefined) {
    note(draft, ['lookupByKey', 'absent', words]);
    noteOpen(draft, 'lookupByKeyAbsent');
  } else noteOpen(draft, 'lookupByKey');
}

/** The other reads at their own paths, and then at likely ones. */
async function probeOthers(probing: Probing, currency: string): Promise<void> {
  const { asker, draft, pathControl } = probing;
  const operations = OTHER_READS.filter((one) => asker.settings.endpoints[one] !== undefined);
  const lost = new Map<OtherRead, OtherAnswer>();
  for (const operation of operations) {
    const answer = await askOther(asker, { operation, currency, pathControl });
    if (answer.served === false) lost.set(operation, answer);
    else takeOther(probing, operation, { answer });
  }
  await probePages(probing);
  for (const [operation, answer] of lost) {
    const elsewhere = await askElsewhere(probing, { operation, currency, pathControl });
    takeOther(probing, operation, elsewhere ?? { answer });
  }
  for (const operation of OTHER_READS) {
    if (!operations.includes(operation)) noteOpen(draft, operation);
  }
}

type Elsewhere = Readonly<{ answer: OtherAnswer; endpoint?: MethodAndPath }>;

/** Asks an operation at the other paths that it may have. Only an answer that can be read shows that it is there. */
async function askElsewhere(
  { asker }: Probing,
  other: Readonly<{ operation: OtherRead; currency: string; pathControl: ProbeAnswer }>,
): Promise<Elsewhere | undefined> {
  const paths: readonly string[] =
    other.operation === 'LOOKUP_ADDRESS' ? [] : OTHER_PATHS[other.operation];
  for (const path of paths) {
    const endpoint = readEndpoint(path) as MethodAndPath;
    const answer = await askOther(asker, { ...other, endpoint });
    if (answer.served === true && answer.value !== undefined) return { answer, endpoint };
  }
  return undefined;
}

function takeOther(
  { asker, draft, carried }: Probing,
  operation: OtherRead,
  { answer, endpoint }: Elsewhere,
): void {
  const place = endpoint ?? asker.settings.endpoints[operation];
  takeServed(draft, { ...answer, operation, endpoint: place });
  if (answer.hasAccount !== undefined) carried.set(operation, answer.hasAccount);
}

async function probePages({ asker, draft, carried }: Probing): Promise<void> {
  const hasAccount = carried.get('WALLET_LIST');
  const pages = hasAccount === undefined ? undefined : await askPages(asker, hasAccount);
  const pageBase = pages && choosePageBase(pages);
  if (pages === undefined || pageBase === undefined) return noteOpen(draft, 'pageBase');
  draft.shapes = { ...draft.shapes, pageBase };
  const words = `WALLET_LIST page 0: ${wordsOf(pages.zero)}; page 1: ${wordsOf(pages.one)}`;
  return note(draft, ['pageBase', pageBase, words]);
}

function chooseAccounts({ asker, draft, carried }: Probing): void {
  if (!carried.has('MASS_GET')) return noteOpen(draft, 'accountIn');
  const accountIn = chooseAccountIn(carried, asker.settings.shapes.accountIn);
  draft.shapes = { ...draft.shapes, accountIn };
  const withAccount = [...carried].filter(([, carries]) => carries).map(([one]) => one);
  const value = typeof accountIn === 'string' ? accountIn : accountIn.join(',');
  return note(draft, ['accountIn', value, `with account: ${withAccount.join(', ')}`]);
}

/** Operations that a probe does not try are where the description has them. */
function noteDescribed({ draft }: Probing, described: Partial<Endpoints>): void {
  for (const operation of OPERATIONS) {
    const place = described[operation];
    if (place === undefined || place === '' || operation in draft.endpoints) continue;
    draft.endpoints = { ...draft.endpoints, [operation]: place };
    note(draft, [operation, place, 'as it was given or described']);
  }
  if (described.MASS_CREATE === undefined) noteOpen(draft, 'MASS_CREATE');
}

/** A currency that the account holds, for a question about fees. */
function currencyOf(balance: unknown): string {
  const balances = memberOf(balance, 'balances') ?? memberOf(memberOf(balance, 'data'), 'balances');
  const [first] = Array.isArray(balances) ? (balances as unknown[]) : [];
  const currency = memberOf(first, 'currency');
  return typeof currency === 'string' && currency !== '' ? currency : 'USDT_TRC20';
}
