import type { PipelineTemplate } from '@quire/registry';

/** Pipelines for common needs. */
export const templates: readonly PipelineTemplate[] = [
  {
    id: 'sort-invoices',
    title: 'Sort incoming invoices',
    summary: 'Keep valid electronic invoices, and name each by its date, seller and number',
    icon: 'receipt-text',
    steps: [
      {
        operation: 'filter/filter-invoice',
        parameters: { verdict: 'valid' },
        name: '{{invoice.date}}_{{invoice.seller}}_{{invoice.number}}',
      },
    ],
  },
];
