import { ServerCertificate } from './server-certificate.tsx';
import { TrustSources } from './trust-sources.tsx';

/** The certificate that the server signs with, and whom it trusts. */
export function Certificates() {
  return (
    <>
      <ServerCertificate />
      <TrustSources />
    </>
  );
}
