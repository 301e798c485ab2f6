import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { brochurePdf, scanPdf, textPdf } from '../../bench/measure/inputs.js';

/** A kind of job, with the request that submits it. */
export interface JobKind {
  readonly name: string;
  readonly shape: 'call' | 'pipeline' | 'large' | 'refused';
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly JobFile[];
  /** Relative frequency. */
  readonly weight: number;
}

/** An upload, read once. */
export interface JobFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

interface Step {
  readonly operation: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** The jobs of the test: single calls, pipelines, large files, and files that must be rejected. */
export async function jobMix(): Promise<JobKind[]> {
  const load = async (path: string): Promise<JobFile> => ({
    name: basename(path),
    bytes: new Uint8Array(await readFile(path)),
  });
  const [short, text, long, longest, other, scan, brochure] = await Promise.all(
    [textPdf(3, 'short'), textPdf(10), textPdf(100), textPdf(500), textPdf(5, 'other'), scanPdf(), brochurePdf()].map(
      async (path) => load(await path),
    ),
  );
  if (!short || !text || !long || !longest || !other || !scan || !brochure)
    throw new Error('the inputs could not be created');
  const damaged = {
    name: 'damaged.pdf',
    bytes: new Uint8Array(Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(3000, 'not a document\n')])),
  };
  const call = (
    name: string,
    path: string,
    fields: Readonly<Record<string, string>>,
    files: readonly JobFile[],
    weight = 4,
  ): JobKind => ({ name, shape: 'call', path, fields, files, weight });
  const pipeline = (name: string, steps: readonly Step[], files: readonly JobFile[], weight = 3): JobKind => ({
    name,
    shape: 'pipeline',
    path: 'pipeline/handleData',
    fields: {
      json: JSON.stringify({
        name,
        pipeline: steps.map(({ operation, parameters }) => ({ operation: `/api/v1/${operation}`, parameters })),
      }),
    },
    files,
    weight,
  });
  const large = (name: string, path: string, fields: Readonly<Record<string, string>>, file: JobFile): JobKind => ({
    name,
    shape: 'large',
    path,
    fields,
    files: [file],
    weight: 2,
  });
  return [
    call('rotate', 'general/rotate-pdf', { angle: '90' }, [text]),
    call('merge', 'general/merge-pdfs', {}, [short, other]),
    call('split', 'general/split-pages', { pageNumbers: '2,4' }, [other]),
    call('remove pages', 'general/remove-pages', { pageNumbers: '2' }, [text]),
    call('rearrange', 'general/rearrange-pages', { customMode: 'REVERSE_ORDER' }, [text]),
    call('scale', 'general/scale-pages', { pageSize: 'A5' }, [short]),
    call('four on a sheet', 'general/multi-page-layout', { pagesPerSheet: '4' }, [text]),
    call('page numbers', 'misc/add-page-numbers', { customText: '{n}/{total}' }, [text]),
    call(
      'watermark',
      'security/add-watermark',
      {
        watermarkType: 'text',
        watermarkText: 'Draft',
        fontSize: '30',
        rotation: '45',
        opacity: '0.5',
        widthSpacer: '50',
        heightSpacer: '50',
      },
      [other],
    ),
    call('decompress', 'misc/decompress-pdf', {}, [short]),
    call('information', 'security/get-info-on-pdf', {}, [text]),
    call('text', 'convert/pdf/text', { outputFormat: 'txt' }, [text]),
    call(
      'pictures',
      'convert/pdf/img',
      { imageFormat: 'png', singleOrMultiple: 'multiple', colorType: 'greyscale', dpi: '50' },
      [short],
      2,
    ),
    call('lock', 'security/add-password', { password: 'secret', ownerPassword: 'owner' }, [short], 2),
    pipeline(
      'rotate, number, four on a sheet',
      [
        { operation: 'general/rotate-pdf', parameters: { angle: 180 } },
        { operation: 'misc/add-page-numbers', parameters: { customText: '{n}' } },
        { operation: 'general/multi-page-layout', parameters: { pagesPerSheet: 4 } },
      ],
      [text],
    ),
    pipeline(
      'remove, scale',
      [
        { operation: 'general/remove-pages', parameters: { pageNumbers: '1' } },
        { operation: 'general/scale-pages', parameters: { pageSize: 'A4' } },
      ],
      [other],
    ),
    pipeline(
      'split, rotate',
      [
        { operation: 'general/split-pages', parameters: { pageNumbers: '1' } },
        { operation: 'general/rotate-pdf', parameters: { angle: 90 } },
      ],
      [short],
    ),
    large('decompress a scan', 'misc/decompress-pdf', {}, scan),
    large('reverse 500 pages', 'general/rearrange-pages', { customMode: 'REVERSE_ORDER' }, longest),
    large('rotate a brochure', 'general/rotate-pdf', { angle: '90' }, brochure),
    large('split 100 pages', 'general/split-pages', { pageNumbers: '10n' }, long),
    {
      name: 'damaged file',
      shape: 'refused',
      path: 'general/rearrange-pages',
      fields: { customMode: 'REVERSE_ORDER' },
      files: [damaged],
      weight: 2,
    },
    {
      name: 'page that does not exist',
      shape: 'refused',
      path: 'general/remove-pages',
      fields: { pageNumbers: '1-3' },
      files: [short],
      weight: 2,
    },
  ];
}

/** Returns `count` kinds in pseudo-random order, the same on each run, each in proportion to its weight. */
export function drawJobs(kinds: readonly JobKind[], count: number): JobKind[] {
  const tickets = kinds.flatMap((kind) => Array<JobKind>(kind.weight).fill(kind));
  let state = 20_261_122;
  return Array.from({ length: count }, () => {
    // A linear congruential generator (Numerical Recipes): the same jobs in each run.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return tickets[Math.floor((state / 2 ** 32) * tickets.length)] as JobKind;
  });
}
