import type { PipelineTemplate } from '@quire/registry';

/** Pipelines for common needs. */
export const templates: readonly PipelineTemplate[] = [
  {
    id: 'searchable-scan',
    title: 'Searchable, small scan',
    summary: 'Recognise the text of a scan, remove empty pages and make the file small',
    icon: 'scan-text',
    steps: [
      { operation: 'misc/remove-blanks', parameters: {} },
      { operation: 'misc/ocr-pdf', parameters: { languages: ['eng'] } },
      { operation: 'misc/compress-pdf', parameters: { optimizeLevel: 5 } },
    ],
  },
  {
    id: 'numbered-archive',
    title: 'One numbered PDF for the archive',
    summary: 'Merge files, number their pages and store them as PDF/A',
    icon: 'archive',
    steps: [
      { operation: 'general/merge-pdfs', parameters: {} },
      { operation: 'misc/add-page-numbers', parameters: { customText: '{n} / {total}' } },
      { operation: 'convert/pdf/pdfa', parameters: { outputFormat: 'pdfa-2b' } },
    ],
  },
  {
    id: 'small-mail',
    title: 'Small enough for a mail',
    summary: 'Compress to at most 5 MB',
    icon: 'mail',
    steps: [{ operation: 'misc/compress-pdf', parameters: { expectedOutputSize: '5MB' } }],
  },
];
