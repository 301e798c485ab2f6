import { readFile, writeFile } from 'node:fs/promises';

/** Replaces what a page has between its markers `<!-- numbers -->` and `<!-- /numbers -->`. */
export async function replaceTable(path: string, make: (page: string) => string): Promise<void> {
  const page = await readFile(path, 'utf8');
  const markers = /(<!-- numbers -->\n)[\s\S]*(<!-- \/numbers -->)/;
  if (!markers.test(page)) throw new Error(`${path} has no markers <!-- numbers --> and <!-- /numbers -->`);
  await writeFile(
    path,
    page.replace(markers, (_, open: string, close: string) => `${open}${make(page)}\n${close}`),
  );
}
