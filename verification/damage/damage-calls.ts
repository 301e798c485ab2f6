/** A call to which damaged files are sent. */
export interface DamageCall {
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  /** How often the file is sent in the call. */
  readonly copies: number;
  readonly result: 'pdf' | 'zip' | 'text';
}

const call = (
  path: string,
  fields: Readonly<Record<string, string>> = {},
  more: Partial<DamageCall> = {},
): DamageCall => ({
  path,
  fields,
  copies: 1,
  result: 'pdf',
  ...more,
});

/** Ten operations that keep all pages and all text: they append, rewrite, assemble, decode contents, or read only. */
export const damageCalls: readonly DamageCall[] = [
  call('general/rotate-pdf', { angle: '90' }),
  call('general/merge-pdfs', {}, { copies: 2 }),
  call('general/split-pages', { pageNumbers: 'all' }, { result: 'zip' }),
  call('general/rearrange-pages', { customMode: 'REVERSE_ORDER' }),
  call('general/scale-pages', { pageSize: 'KEEP', scaleFactor: '0.9' }),
  call('misc/compress-pdf', { optimizeLevel: '5' }),
  call('misc/update-metadata', { title: 'A title' }),
  call('misc/add-page-numbers', { position: '1' }),
  call('security/sanitize-pdf'),
  call('convert/pdf/text', { outputFormat: 'txt' }, { result: 'text' }),
];
