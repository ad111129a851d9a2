import picocolors from 'picocolors';

export const { createColors: createColours } = picocolors;
export type Colours = ReturnType<typeof createColours>;
