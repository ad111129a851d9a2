import { choosePorts, type WantedPort } from './processes/ports.ts';
import type { StackOptions } from './options.ts';
import type { TemporalPorts } from './temporal/command.ts';

const LOOPBACK = '127.0.0.1';

/** Temporal's own default ports. */
export const TEMPORAL_PORTS: TemporalPorts = { grpc: 7233, ui: 8233 };

export const temporalWants = ({ grpc, ui }: TemporalPorts): readonly WantedPort[] => [
  { name: 'Temporal', host: LOOPBACK, port: grpc },
  { name: 'the web UI of Temporal', host: LOOPBACK, port: ui },
];

export type Place = Readonly<{ host: string; port: number }>;

/** The addresses on which the processes of the stack listen; a process that is not started has none. */
export type StackPorts = Readonly<{
  temporal: TemporalPorts;
  bridge: Place;
  sandbox?: Place;
  codecServer?: Place;
}>;

/** Decides every port before the first process starts. Throws PORT_TAKEN, naming the first one that is in use. */
export async function chooseStackPorts(
  options: StackOptions,
  usesCodecServer = false,
): Promise<StackPorts> {
  const { settings, ports: mode, temporalPorts = TEMPORAL_PORTS } = options;
  const { sandbox: usesSandbox = settings.api.baseUrl === undefined } = options;
  const bridge = { name: 'the bridge', ...settings.bridge.listen };
  const sandbox = { name: 'the sandbox', ...settings.sandbox.listen };
  const codecServer = { name: 'the codec server', ...settings.codec.listen };
  const wanted = [
    ...[...temporalWants(temporalPorts), bridge],
    ...(usesSandbox ? [sandbox] : []),
    ...(usesCodecServer ? [codecServer] : []),
  ];
  const found = await choosePorts(wanted, mode);
  const places = new Map(
    wanted.map(({ name, host }, at) => [name, { host, port: found[at] ?? 0 }]),
  );
  const placeOf = ({ name, host }: WantedPort): Place => places.get(name) ?? { host, port: 0 };
  const [grpc = 0, ui = 0] = found;
  return {
    temporal: { grpc, ui },
    bridge: placeOf(bridge),
    ...(usesSandbox && { sandbox: placeOf(sandbox) }),
    ...(usesCodecServer && { codecServer: placeOf(codecServer) }),
  };
}

/** The address under which a process of this machine reaches another one that listens on `place`. */
export function localUrl({ host, port }: Place): string {
  const reachable = host === '0.0.0.0' || host === '::' ? LOOPBACK : host;
  return `http://${bracketed(reachable)}:${port}`;
}

/** `host:port`, as the settings for listening want it. */
export const listenText = ({ host, port }: Place): string => `${bracketed(host)}:${port}`;

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);
