import type { ErrorCode } from '@quire/registry';

/** Headers of many calls, as shared parameters of the OpenAPI document. */
export const headerParameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    description:
      'A repeated call with the same key, fields and files returns the first answer (`Idempotent-Replayed: ' +
      'true`) and does nothing; 1 to 255 visible ASCII characters, bare or in double quotes',
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    required: false,
    schema: { type: 'string' },
    // No example: Swagger UI would send it with every call.
    description:
      'RFC 7240, for example `respond-async, wait=10`: `respond-async` starts a job (202); `wait=n` returns ' +
      'the result if it is ready within n seconds, else a job; `handling=strict` rejects unknown fields and ' +
      'damaged PDFs',
  },
  PreferWait: {
    name: 'Prefer',
    in: 'header',
    required: false,
    schema: { type: 'string' },
    description: 'RFC 7240, for example `wait=20`: `wait=n` answers at the next change, or after n seconds',
  },
} as const;

export type CallHeader = keyof typeof headerParameters;

/** Additional errors of calls with an Idempotency-Key. */
export const idempotencyCodes: readonly ErrorCode[] = [
  'IDEMPOTENCY_KEY_INVALID',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_IN_PROGRESS',
];

/** Returns references to these headers for the parameters of one call. */
export function headerReferences(names: readonly CallHeader[]): { readonly $ref: string }[] {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}
