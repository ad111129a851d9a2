/** What the web page of a workflow shows beside its id. No addresses: these texts are not encrypted. */
export type About = Readonly<{ summary: string; details: string }>;
