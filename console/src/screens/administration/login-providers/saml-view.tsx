import { useState } from 'preact/hooks';
import type { Problem } from '../../../api/index.ts';
import { Button, ProblemNotice } from '../../../components/index.ts';
import { AddressList } from './addresses.tsx';
import type { OwnProvider } from './provider-facts.ts';
import { TrialPanel } from './trial-panel.tsx';
import { t } from './texts.ts';

interface SamlViewProps {
  readonly provider: OwnProvider;
  readonly onClose: () => void;
}

/** The identity provider of SAML: what to register there, and a trial. Its settings name files of the server. */
export function SamlView({ provider: { name, addresses }, onClose }: SamlViewProps) {
  const [problem, setProblem] = useState<Problem | undefined>();
  return (
    <>
      <div class="row">
        <Button kind="quiet" icon="arrow-left" onClick={onClose}>
          {t('All providers')}
        </Button>
      </div>
      <section class="card stack">
        <div>
          <h2>{t('1. Register this server at {provider}', { provider: name })}</h2>
          <p class="soft small">
            {t(
              'Enter these addresses exactly. The settings {key} are in the settings file, as they name files there.',
              {
                key: 'security.saml2',
              },
            )}
          </p>
        </div>
        <AddressList addresses={addresses} />
      </section>
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      <TrialPanel provider="saml" title={name} values={{}} onProblem={setProblem} onIssuer={() => undefined} />
    </>
  );
}
