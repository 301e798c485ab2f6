import { createTexts, fromFiles } from './texts.ts';

/** Texts of the frame and of the shared components. */
export const t = createTexts(fromFiles(import.meta.glob('./texts/*.json')));
