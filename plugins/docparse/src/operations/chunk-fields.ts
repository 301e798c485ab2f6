import { clamped, integerField, type JoiRoot, shown } from '@quire/registry';

/** How a text is cut into chunks. */
export interface ChunkParams {
  chunkSize: number;
  overlap: number;
}

/**
 * The fields of `ChunkParams`; numbers out of range are replaced by the nearest valid one
 * (`docs/interface/docparse.yml`, ingest). `overlapBelowSize` must also hold.
 */
export function chunkFields(joi: JoiRoot) {
  return {
    chunkSize: shown(
      clamped(
        integerField(joi, 'Most characters of a chunk; less than 64 counts as 64, more than 32768 as 32768').unsafe(),
        64,
        32_768,
      )
        .default(512)
        .example(512),
      { label: 'Characters in a chunk', help: 'At most.' },
    ),
    overlap: shown(
      clamped(
        integerField(
          joi,
          'Most characters that a chunk repeats of the one before it; less than 0 counts as 0, more than 4096 as ' +
            '4096; must be below chunkSize',
        ).unsafe(),
        0,
        4096,
      )
        .default(64)
        .example(64),
      { label: 'Characters repeated', help: 'How much of the previous chunk is repeated, at most.' },
    ),
  };
}

/** The field at fault and why, where an overlap that was sent is not below the size of the chunks. */
export function overlapFault(
  { chunkSize, overlap }: ChunkParams,
  sent: unknown,
): { readonly field: string; readonly code: string } | undefined {
  return (sent as Partial<Record<string, unknown>> | undefined)?.['overlap'] !== undefined && overlap >= chunkSize
    ? { field: 'overlap', code: 'chunks.overlap' }
    : undefined;
}

/** The text of that fault. */
export const chunkMessages = { 'chunks.overlap': '{#label} must be below chunkSize' } as const;

export function chunkShape(joi: JoiRoot) {
  return joi.object({
    index: joi.number().integer().required().description('From 0'),
    text: joi.string().required().description('Markdown'),
    pageStart: joi.number().integer().description('Page of its first character, from 1'),
    pageEnd: joi.number().integer().description('Page of its last character'),
    headingPath: joi
      .array()
      .items(joi.string().allow(''))
      .required()
      .description('Headings above the chunk, outermost first'),
  });
}
