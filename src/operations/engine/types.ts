/**
 * The texts that the web page of a workflow shows beside its id. They hold no addresses: these texts are not encrypted.
 */
export type About = Readonly<{ summary: string; details: string }>;
