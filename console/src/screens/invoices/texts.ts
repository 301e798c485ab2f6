import { screenTexts } from '../../i18n/index.ts';

export const t = screenTexts(import.meta.glob('./texts/*.json'));
