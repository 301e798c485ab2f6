import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';

/** What each document must have: pages, and the rotation of each in degrees. */
const documents: Readonly<Record<string, { readonly pages: number; readonly rotation: number }>> = {
  'rotated.pdf': { pages: 2, rotation: 90 },
  'merged.pdf': { pages: 6, rotation: 0 },
  'pipeline.pdf': { pages: 2, rotation: 90 },
  'job.pdf': { pages: 2, rotation: 180 },
};

/** The count of pages that the JSON answer has, and the code of the problem document. */
const texts: Readonly<Record<string, string>> = { 'pages.txt': '2', 'refused.txt': 'INPUT_INVALID' };

/** Returns what is wrong with the results of six calls on a PDF of two pages; nothing if they are right. */
export async function faultsOf(folder: string): Promise<string[]> {
  const faults: string[] = [];
  for (const [name, expected] of Object.entries(documents)) {
    const found = await pdfFacts(join(folder, name));
    if (found !== describe(expected)) faults.push(`${name}: ${found}, expected ${describe(expected)}`);
  }
  for (const [name, expected] of Object.entries(texts)) {
    const found = await readFile(join(folder, name), 'utf8').catch(String);
    if (found.trim() !== expected) faults.push(`${name}: "${found.trim()}", expected "${expected}"`);
  }
  return faults;
}

async function pdfFacts(file: string): Promise<string> {
  try {
    const pages = (await PDFDocument.load(await readFile(file))).getPages();
    const rotations = [...new Set(pages.map((page) => page.getRotation().angle))];
    return describe({ pages: pages.length, rotation: rotations.join() });
  } catch (error) {
    return String(error);
  }
}

function describe({ pages, rotation }: { readonly pages: number; readonly rotation: number | string }): string {
  return `${pages} pages with rotation ${rotation}`;
}
