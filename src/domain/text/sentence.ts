/** A text as a sentence that another one can follow: what people and rules write may end with a full stop, or not. */
export const sentenceOf = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
