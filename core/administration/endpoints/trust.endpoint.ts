import { defineEndpoint, type CertificateTrust, type Endpoint } from '@quire/registry';

export interface TrustEndpointDeps {
  readonly trust: CertificateTrust;
}

/** Whom the server trusts when it validates signatures. */
export function trustEndpoint({ trust }: TrustEndpointDeps): Endpoint {
  return defineEndpoint({
    id: 'getTrust',
    method: 'GET',
    path: 'admin/trust',
    since: '1.4.0',
    tag: 'admin',
    summary: 'Get the sources of trusted certificates',
    notes:
      'Of the node that answers: the enabled sources (`security.validation.trust.*`), how far they are loaded, and ' +
      'how revocation is checked. They are loaded once, at the start; this call begins to load what is not loaded yet.',
    access: { role: 'admin', area: 'certificates' },
    returns: {
      description: 'Sources and policy',
      json: (joi) =>
        joi
          .object({
            mode: joi.string().valid('none', 'ocsp', 'crl', 'ocsp+crl').required().description('Check of revocation'),
            hardFail: joi.boolean().required().description('A certificate whose revocation is unknown is not trusted'),
            allowAIA: joi.boolean().required().description('Addresses in certificates may be called'),
            sources: joi
              .array()
              .required()
              .items(
                joi
                  .object({
                    name: joi.string().valid('server', 'system', 'mozilla', 'aatl', 'eutl').required(),
                    state: joi.string().valid('loading', 'loaded', 'failed').required(),
                    anchors: joi.number().integer().required().description('Trusted certificates'),
                  })
                  .label('TrustSource'),
              ),
          })
          .label('Trust'),
    },
    errors: ['KEY_INVALID', 'ADMIN_ONLY'],
    handle: async () => {
      const { mode, hardFail, allowAIA, sources } = await trust.state();
      return { json: { mode, hardFail, allowAIA, sources: sources.map((source) => ({ ...source })) } };
    },
  });
}
