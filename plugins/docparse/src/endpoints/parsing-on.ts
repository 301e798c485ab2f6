import { type EndpointContext, OperationalError, tokens } from '@quire/registry';

/** Throws SERVICE_NOT_SET_UP while `docparse.enabled` is false. */
export function requireParsing(ctx: EndpointContext): void {
  if (!ctx.use(tokens.settings).get<boolean>('docparse.enabled'))
    throw new OperationalError('SERVICE_NOT_SET_UP', {
      service: 'Document parsing',
      detail: 'it is switched off (docparse.enabled)',
    });
}
