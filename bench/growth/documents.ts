import { Client, multipart } from '../measure/client.js';
import { photoPdf, textPdf } from '../measure/inputs.js';
import { withServer } from '../measure/with-server.js';
import { pointOf } from './measure.js';
import type { Axis, Line, Point } from './series.js';

interface Tool {
  readonly name: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
}

const rotate: Tool = { name: 'rotate', path: 'general/rotate-pdf', fields: { angle: '90' } };
const pageTools: readonly Tool[] = [
  rotate,
  {
    name: 'text watermark',
    path: 'security/add-watermark',
    fields: { watermarkType: 'text', watermarkText: 'DRAFT' },
  },
  { name: 'text extraction', path: 'convert/pdf/text', fields: { outputFormat: 'txt' } },
];
const count: Tool = { name: 'page count', path: 'analysis/page-count', fields: {} };

/** One server for all lines of an axis. */
function linesOf(
  tools: readonly Tool[],
  values: readonly number[],
  filesOf: (value: number) => Promise<readonly string[]>,
  env: Readonly<Record<string, string>> = {},
): Promise<readonly Line[]> {
  return withServer(async (server) => {
    const client = new Client(server.url);
    const lines: Line[] = [];
    for (const { name, path, fields } of tools) {
      const points: Point[] = [];
      for (const value of values) {
        const body = await multipart(await filesOf(value), fields);
        points.push(await pointOf(server, value, () => client.post(`/api/v1/${path}`, body)));
      }
      lines.push({ name, points });
    }
    client.close();
    return lines;
  }, env);
}

/** Pages of a document of text. */
export const pages: Axis = {
  name: 'pages',
  title: 'Pages',
  unit: 'pages of text of a document',
  measure: () => linesOf(pageTools, [1, 10, 100, 1000, 10_000], async (value) => [await textPdf(value)]),
};

/** Megabytes of a document of photographs. */
export const megabytes: Axis = {
  name: 'megabytes',
  title: 'Size',
  unit: 'megabytes of photographs of a document',
  measure: () => linesOf([rotate, count], [1, 10, 100, 300, 1000], async (value) => [await photoPdf(value)]),
};

/** Files that are merged. */
export const parts: Axis = {
  name: 'parts',
  title: 'Parts of a merge',
  unit: 'files of two pages',
  measure: () => {
    const merge: Tool = { name: 'merge', path: 'general/merge-pdfs', fields: {} };
    const files = async (value: number): Promise<string[]> =>
      Array.from<string>({ length: value }).fill(await textPdf(2, 'part'));
    return linesOf([merge], [2, 10, 30, 100, 300, 1000], files);
  },
};
