import { MODE_VALUES, type SomeModes } from '../../../packages/sandbox/src/core/modes.ts';

/** How a batch of a row ends. */
export type MatrixEnd =
  /** Every row is PAID, each once. */
  | 'PAID'
  /** The same, after a person has named the mass payout of a create in doubt. */
  | 'PAID, one answer of a person'
  /** No create was sent; the error names the settings. */
  | 'REFUSED'
  /** The create was refused: no row is paid, and each row has the reason. */
  | 'NOT PAID'
  /** A person must look; no row is called PAID that was not paid. */
  | 'OPEN';

/** A service, the settings of the engine, and the end of a batch of three chunks. */
export type MatrixRow = Readonly<{
  name: string;
  /** How the sandbox plays the service. */
  modes: SomeModes;
  /** The service has no LOOKUP. */
  lacksLookup?: true;
  /** Whether `bursar probe --write` runs before the batch. Else all settings are stated. */
  isProbed: boolean;
  /** Settings of the engine that a person states, by their variables. */
  settings: Readonly<Record<string, string>>;
  expected: MatrixEnd;
}>;

const CHECKSUMMED = '0x52908400098527886E0F7030069857D2E4169EE7';
const UUID = '00000000-0000-0000-0000-000000000001';

/** The settings that fit the modes and that no read can show, as a person states them who has read docs/shapes.md. */
function stated({ modes, lacksLookup }: Service): Record<string, string> {
  const settings: Record<string, string> = {};
  const { massGetAccepts = 'reference' } = modes;
  if (lacksLookup && massGetAccepts.endsWith('key-only')) {
    settings['BURSAR_API_SHAPE_MASS_GET_ACCEPTS'] = massGetAccepts;
  }
  if (modes.createRequires === 'all') settings['BURSAR_API_SHAPE_CREATE_REQUIRES'] = 'all';
  if (modes.accountCase !== undefined) settings['BURSAR_API_ACCOUNT'] = CHECKSUMMED;
  if (modes.accountId === 'uuid') settings['BURSAR_API_ACCOUNT'] = UUID;
  if (modes.withdrawalsMax === 1) settings['BURSAR_BATCH_CHUNK_ROWS'] = '1';
  // Without a pace the first create of an account may get 429, while no lookup has found anything yet: a person is asked.
  if (modes.requestsPerSecond !== undefined) settings['BURSAR_API_REQUESTS_PER_SECOND'] = '4';
  return settings;
}

type Service = Readonly<{ modes: SomeModes; lacksLookup?: true }>;

/** Whether a read by key finds a mass payout: then a create in doubt needs no person. */
const hasKeyRead = ({ modes, lacksLookup }: Service): boolean =>
  (modes.lookupByKey ?? 'available') === 'available' &&
  (lacksLookup !== true || !(modes.massGetAccepts ?? 'reference').endsWith('id-only'));

/** Whether any read finds a mass payout. */
const hasRead = (service: Service): boolean =>
  hasKeyRead(service) ||
  service.lacksLookup !== true ||
  !(service.modes.massGetAccepts ?? 'reference').endsWith('key-only');

function endOf(service: Service): MatrixEnd {
  if (hasKeyRead(service)) return 'PAID';
  if (hasRead(service)) return 'PAID, one answer of a person';
  return 'REFUSED';
}

const nameOf = ({ modes, lacksLookup }: Service): string =>
  [
    ...Object.entries(modes).map(([mode, value]) => `${mode}=${value}`),
    ...(lacksLookup ? ['no LOOKUP'] : []),
  ].join(', ');

const rowOf = (service: Service): MatrixRow => ({
  ...service,
  name: nameOf(service),
  isProbed: true,
  settings: stated(service),
  expected: endOf(service),
});

/** Modes of the sandbox alone, and those that the tests use to decide fates. */
const NO_SERVICE: readonly string[] = ['bodies', 'testAddresses'];

/** Each value of each mode of words, and some numbers. */
const SINGLE: readonly MatrixRow[] = [
  ...Object.entries(MODE_VALUES)
    .filter(([mode]) => !NO_SERVICE.includes(mode))
    .flatMap(([mode, [, ...values]]) => values.map((value) => rowOf({ modes: { [mode]: value } }))),
  rowOf({ modes: {} }),
  rowOf({ modes: { withdrawalsMax: 1 } }),
  rowOf({ modes: { lookupLagMs: 300 } }),
  rowOf({ modes: { requestsPerSecond: 5 } }),
  rowOf({ modes: {}, lacksLookup: true }),
];

/** Choices that change what the engine can find out after a create. */
const DANGEROUS: readonly (readonly Service[])[] = [
  MODE_VALUES.massGetAccepts.slice(1).map((massGetAccepts) => ({ modes: { massGetAccepts } })),
  MODE_VALUES.lookupByKey.slice(1).map((lookupByKey) => ({ modes: { lookupByKey } })),
  [{ modes: {}, lacksLookup: true }],
  [{ modes: { idempotency: 'ignores-key' } }],
  MODE_VALUES.errorStatus.slice(1).map((errorStatus) => ({ modes: { errorStatus } })),
  MODE_VALUES.accountIn.slice(1).map((accountIn) => ({ modes: { accountIn } })),
  [{ modes: { lookupLagMs: 300 } }],
];

const PAIRS: readonly MatrixRow[] = DANGEROUS.flatMap((ones, n) =>
  DANGEROUS.slice(n + 1)
    .flat()
    .flatMap((other) =>
      ones.map((one) => rowOf({ ...one, ...other, modes: { ...one.modes, ...other.modes } })),
    ),
);

/** Services whose reads go by key alone and find nothing. */
const HIDING: readonly MatrixRow[] = MODE_VALUES.lookupByKey.slice(1).map((lookupByKey) => ({
  ...rowOf({ modes: { massGetAccepts: 'key-only', lookupByKey }, lacksLookup: true }),
  settings: {},
}));

type Wrong = readonly [SomeModes, Readonly<Record<string, string>>, MatrixEnd];

/** Settings that are wrong for the service. */
const WRONG: readonly MatrixRow[] = (
  [
    [{ massGetAccepts: 'flat' }, {}, 'REFUSED'],
    [{ massGetAccepts: 'flat-id-only' }, {}, 'REFUSED'],
    [{ massGetAccepts: 'flat-key-only' }, {}, 'REFUSED'],
    [{ massGetAccepts: 'flat' }, { MASS_GET_ACCEPTS: 'reference' }, 'REFUSED'],
    [{ massGetAccepts: 'reference' }, { MASS_GET_ACCEPTS: 'flat' }, 'REFUSED'],
    [{ massGetAccepts: 'id-only' }, { MASS_GET_ACCEPTS: 'key-only' }, 'REFUSED'],
    [{ massGetAccepts: 'key-only' }, { MASS_GET_ACCEPTS: 'id-only' }, 'REFUSED'],
    [{ massGetAccepts: 'flat-id-only' }, { MASS_GET_ACCEPTS: 'flat-key-only' }, 'REFUSED'],
    [{ massGetAccepts: 'flat', errorCode: 'one-for-all' }, { MASS_GET_ACCEPTS: 'flat' }, 'PAID'],
    [{ massGetAccepts: 'key-only' }, {}, 'REFUSED'],
    [
      { massGetAccepts: 'key-only', lookupByKey: 'absent' },
      { MASS_GET_ACCEPTS: 'key-only' },
      'OPEN',
    ],
    [{ accountIn: 'shown' }, {}, 'REFUSED'],
    [{ accountIn: 'all' }, { ACCOUNT_IN: 'shown' }, 'REFUSED'],
    [{ accountCase: 'lower' }, {}, 'REFUSED'],
    [{ timestampUnit: 's' }, {}, 'REFUSED'],
    [{ timestampUnit: 'ms' }, { TIMESTAMP_UNIT: 's' }, 'REFUSED'],
    [{ pageBase: 'zero' }, {}, 'PAID'],
    [{ createRequires: 'all' }, {}, 'NOT PAID'],
    [{ withdrawalsMax: 1 }, {}, 'NOT PAID'],
  ] as readonly Wrong[]
).map(([modes, shapes, expected]) => {
  const lookup = modes.massGetAccepts === undefined ? {} : ({ lacksLookup: true } as const);
  const set = Object.entries(shapes).map(([name, value]) => `${name}=${value}`);
  return {
    name: `${nameOf({ modes, ...lookup })}; settings: ${set.join(', ') || 'the defaults'}`,
    modes,
    ...lookup,
    isProbed: false,
    settings: {
      ...(modes.massGetAccepts === undefined ? {} : { BURSAR_API_ENDPOINT_LOOKUP: '' }),
      ...(modes.accountCase === undefined ? {} : { BURSAR_API_ACCOUNT: CHECKSUMMED }),
      ...Object.fromEntries(
        Object.entries(shapes).map(([name, value]) => [`BURSAR_API_SHAPE_${name}`, value]),
      ),
    },
    expected,
  };
});

/** Rows of the short form, by their names. */
const SHORT: readonly string[] = [
  'massGetAccepts=flat, no LOOKUP',
  'massGetAccepts=id-only, no LOOKUP',
  'lookupByKey=refused, idempotency=ignores-key',
  'errorStatus=all-200, accountIn=shown',
  'createRequires=all',
  'timestampUnit=s',
  'massGetAccepts=flat, no LOOKUP; settings: the defaults',
  'massGetAccepts=flat, no LOOKUP; settings: MASS_GET_ACCEPTS=reference',
  'accountIn=shown; settings: the defaults',
  'withdrawalsMax=1; settings: the defaults',
];

/** Every row; its name is there once. */
export const MATRIX: readonly MatrixRow[] = [...SINGLE, ...PAIRS, ...HIDING, ...WRONG];

export const SHORT_MATRIX: readonly MatrixRow[] = SHORT.map((name) => {
  const row = MATRIX.find((one) => one.name === name);
  if (row === undefined) throw new Error(`the matrix has no row ${name}`);
  return row;
});
