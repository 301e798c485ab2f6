import { createTexts } from './texts.ts';

/** Texts of operations: titles, labels and help, as the registry declares them in English. */
export const rt = createTexts(import.meta.glob('./registry/*.json'));
