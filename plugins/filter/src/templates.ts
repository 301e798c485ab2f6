import type { PipelineTemplate } from '@quire/registry';

/** Pipelines for common needs. */
export const templates: readonly PipelineTemplate[] = [
  {
    id: 'long-documents',
    title: 'Two pages on a sheet, if long',
    summary: 'Keep documents of more than ten pages and print two on a sheet',
    icon: 'book-open',
    steps: [
      { operation: 'filter/filter-page-count', parameters: { comparator: 'Greater', pageCount: 10 } },
      { operation: 'general/multi-page-layout', parameters: { pagesPerSheet: 2 } },
    ],
  },
];
