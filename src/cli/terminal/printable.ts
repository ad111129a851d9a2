export { printable } from '../../domain/text/printable.ts';
