import { createTexts } from './texts.ts';

/** Texts of the frame and of the shared components. */
export const t = createTexts(import.meta.glob('./texts/*.json'));
