import type { PipelineTemplate } from '@quire/registry';

/** Pipelines for common needs. */
export const templates: readonly PipelineTemplate[] = [
  {
    id: 'safe-to-publish',
    title: 'Safe to publish',
    summary: 'Remove scripts, attachments and metadata, and make forms plain content',
    icon: 'shield-check',
    steps: [
      { operation: 'security/sanitize-pdf', parameters: { removeMetadata: true, removeXMPMetadata: true } },
      { operation: 'misc/flatten', parameters: { flattenOnlyForms: true } },
    ],
  },
  {
    id: 'confidential-copy',
    title: 'Confidential copy with a password',
    summary: 'Put a watermark on every page and lock the file',
    icon: 'lock',
    steps: [
      {
        operation: 'security/add-watermark',
        parameters: { watermarkType: 'text', watermarkText: 'CONFIDENTIAL', rotation: 45 },
      },
      { operation: 'security/add-password', parameters: {}, ask: ['password'] },
    ],
  },
  {
    id: 'redacted-copy',
    title: 'Copy without certain words',
    summary: 'Remove words everywhere and make sure that they cannot be read',
    icon: 'eraser',
    steps: [
      { operation: 'security/auto-redact', parameters: {}, ask: ['listOfText'] },
      { operation: 'security/sanitize-pdf', parameters: {} },
    ],
  },
];
