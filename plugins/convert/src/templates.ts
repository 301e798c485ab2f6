import type { PipelineTemplate } from '@quire/registry';

/** Pipelines for common needs. */
export const templates: readonly PipelineTemplate[] = [
  {
    id: 'office-archive',
    title: 'Office document for the archive',
    summary: 'Convert to PDF and store it as PDF/A',
    icon: 'file-archive',
    steps: [
      { operation: 'convert/file/pdf', parameters: {} },
      { operation: 'convert/pdf/pdfa', parameters: { outputFormat: 'pdfa-2b' } },
    ],
  },
  {
    id: 'pictures-searchable',
    title: 'Pictures to one searchable PDF',
    summary: 'Put pictures into one PDF and recognise their text',
    icon: 'images',
    steps: [
      { operation: 'convert/img/pdf', parameters: { fitOption: 'maintainAspectRatio' } },
      { operation: 'misc/ocr-pdf', parameters: { languages: ['eng'] } },
    ],
  },
  {
    id: 'first-page-preview',
    title: 'Picture of the first page',
    summary: 'Make a preview of each document',
    icon: 'image',
    steps: [{ operation: 'convert/pdf/img', parameters: { pageNumbers: '1', dpi: 150, singleOrMultiple: 'single' } }],
  },
];
