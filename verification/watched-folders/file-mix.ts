import { open, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makePdf } from '../../test/kit/make-pdf.js';

/** Watched folders of the test with their pipelines. */
export const pipelines = {
  turned: {
    name: 'turn',
    pipeline: [{ operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90, fileInput: 'automated' } }],
    outputDir: '{outputFolder}/{folderName}',
    outputFileName: '{filename}-{pipelineName}',
  },
  single: { pipeline: [{ operation: '/api/v1/general/split-pages', parameters: { pageNumbers: 'all' } }] },
  merged: {
    name: 'all',
    pipeline: [{ operation: '/api/v1/general/merge-pdfs', parameters: {} }],
    outputFileName: 'together-{date}-{time}',
  },
} as const;

export type FolderName = keyof typeof pipelines;

/** How a file arrives; this decides what must become of it. */
export type FileNature = 'good' | 'damaged' | 'half' | 'empty' | 'wrong-bytes' | 'wrong-name' | 'growing' | 'paused';

export interface TestFile {
  readonly folder: FolderName;
  readonly nature: FileNature;
  readonly name: string;
  readonly number: number;
  /** Number of pages; each has the text `file <number> page <n>`. */
  readonly pages: number;
  readonly bytes: Uint8Array;
  /** `either`: the writer pauses longer than the settle time, so the file may be processed in the state it has then. */
  readonly expected: 'done' | 'failed' | 'either';
}

/** Number of files of each nature among twenty. */
const natures: readonly (readonly [FileNature, number])[] = [
  ['good', 10],
  ['damaged', 2],
  ['half', 2],
  ['wrong-bytes', 1],
  ['wrong-name', 1],
  ['empty', 1],
  ['growing', 2],
  ['paused', 1],
];
const folders: readonly FolderName[] = ['turned', 'turned', 'single', 'turned', 'merged'];
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Creates `count` files, the same ones on each call. */
export async function makeMix(count: number): Promise<TestFile[]> {
  const drawn = natures.flatMap(([nature, share]) => Array.from({ length: share }, () => nature));
  return Promise.all(
    Array.from({ length: count }, async (_, number): Promise<TestFile> => {
      // Thirteen and twenty have no common divisor, so the natures alternate and occur in every folder.
      const nature = drawn[(number * 13) % drawn.length] ?? 'good';
      const folder = folders[Math.floor(number / 3) % folders.length] ?? 'turned';
      const pages = 1 + (number % 4);
      const whole = await makePdf({ pages, text: (page) => `file ${number} page ${page}` });
      const name = nameOf(number, nature);
      const shared = { folder, nature, name, number, pages };
      switch (nature) {
        case 'damaged':
          return {
            ...shared,
            bytes: Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(3000, number % 251)]),
            expected: 'failed',
          };
        // Only the header: a repair could legitimately restore a file that is cut off later.
        case 'half':
          return { ...shared, bytes: whole.slice(0, 40 + (number % 20)), expected: 'failed' };
        case 'empty':
          return { ...shared, bytes: new Uint8Array(), expected: 'failed' };
        case 'wrong-bytes':
          return { ...shared, bytes: Buffer.concat([png, Buffer.from(`${number}`)]), expected: 'failed' };
        case 'wrong-name':
          return { ...shared, bytes: Buffer.from(`notes ${number}`), expected: 'failed' };
        case 'paused':
          return { ...shared, bytes: whole, expected: 'either' };
        default:
          return { ...shared, bytes: whole, expected: 'done' };
      }
    }),
  );
}

/** Names as people and programs choose them: with spaces, line breaks, quotes, other scripts, and of maximum length. */
function nameOf(number: number, nature: FileNature): string {
  const extension = nature === 'wrong-name' ? '.txt' : '.pdf';
  const plain = `file-${number}`;
  switch (number % 11) {
    case 3:
      return `${plain} (scan of today)${extension}`;
    case 5:
      return `${plain}\nsecond line${extension}`;
    case 7:
      return `${plain} größe 文書 "x" $(touch y);${extension}`;
    case 9:
      return `${plain}-${'n'.repeat(255 - plain.length - 1 - extension.length)}${extension}`;
    default:
      return `${plain}${extension}`;
  }
}

/** Puts a file into its folder as its nature requires: at once, by rename, or little by little. */
export async function feed(file: TestFile, folder: string, settleMs: number): Promise<void> {
  const path = join(folder, file.name);
  if (file.nature !== 'growing' && file.nature !== 'paused') {
    if (file.number % 2 === 0) return writeFile(path, file.bytes);
    const temporary = join(folder, `.upload-${file.number}`);
    await writeFile(temporary, file.bytes);
    return rename(temporary, path);
  }
  const handle = await open(path, 'wx');
  try {
    const pieces = file.nature === 'paused' ? 2 : 5;
    const size = Math.ceil(file.bytes.length / pieces);
    for (let at = 0; at < file.bytes.length; at += size) {
      if (at > 0) await delay(file.nature === 'paused' ? settleMs * 1.5 : settleMs * 0.4);
      await handle.writeFile(file.bytes.subarray(at, at + size));
    }
  } finally {
    await handle.close();
  }
}
