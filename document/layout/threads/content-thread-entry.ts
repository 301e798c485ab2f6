// A thread that reads the content of pages beside the one that lays them out (`page-contents.ts`).
import { PageReader } from '../read/page-reader.js';
import type { ContentThreadData } from './page-contents.js';
import { readTurns } from './second-thread.js';

await readTurns((document, { units }: ContentThreadData) => {
  const reader = new PageReader(document, (page) => units.get(page) ?? 1);
  return (page: number) => {
    const content = reader.read(page);
    // What comes after it must look at the page as it was changed, in the first thread's document.
    return reader.hasChanged(page) ? undefined : content;
  };
});
