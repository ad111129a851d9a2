/** LIVE: money moves. SANDBOX: the money is play money. */
export type ServiceEnvironment = 'LIVE' | 'SANDBOX';

/** The service and the account that commands use. Null: not set. `profile`: that of the settings, if one was chosen. */
export type ServicePlace = Readonly<{
  environment: ServiceEnvironment;
  /** The address of the service. */
  service: string | null;
  account: string | null;
  profile: string | null;
}>;

/** `declared`: the setting `api.environment`. `isLoopback`: whether the address of the service is on this machine. */
type EnvironmentFacts = Readonly<{
  declared: 'live' | 'sandbox' | undefined;
  isLoopback: boolean;
}>;

/** Returns LIVE unless the settings, or an address on this machine, show a sandbox: a needless warning costs nothing. */
export function environmentOf({ declared, isLoopback }: EnvironmentFacts): ServiceEnvironment {
  if (declared !== undefined) return declared === 'live' ? 'LIVE' : 'SANDBOX';
  return isLoopback ? 'SANDBOX' : 'LIVE';
}

/** A place in words: the environment, and where. Without a service no environment is shown, since nothing can be paid. */
export function placeWords({ environment, service, account, profile }: ServicePlace): Readonly<{
  environment: ServiceEnvironment | null;
  where: string;
}> {
  const parts = [
    service ?? 'no service is set (api.base_url)',
    ...(account === null ? [] : [`account ${account}`]),
    ...(profile === null ? [] : [`profile ${profile}`]),
  ];
  return { environment: service === null ? null : environment, where: parts.join(', ') };
}
