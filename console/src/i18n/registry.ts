import { callJson } from '../api/call.ts';
import { createTexts, type Catalogue } from './texts.ts';

/** Texts of operations: titles, labels, help and values, declared in English; packages bring translations. */
export const rt = createTexts((code) => callJson<Catalogue>(`console/texts/${code}`, { login: 'quiet' }));
