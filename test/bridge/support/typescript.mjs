/** Lets a child process run the TypeScript sources as they are: `node --import ./typescript.mjs FILE.ts`. */
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
