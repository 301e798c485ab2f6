// A thread that reads the text of pages beside the one that needs it (`page-texts.ts`).
import { simplePageText } from '../simple-text.js';
import { readTurns } from './second-thread.js';

await readTurns((document) => (page: number) => simplePageText(document, page));
