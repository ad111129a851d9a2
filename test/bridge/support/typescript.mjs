/** Lets node run TypeScript sources: `node --import ./typescript.mjs FILE.ts`. */
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
