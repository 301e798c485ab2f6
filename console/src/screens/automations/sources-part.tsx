import { useState } from 'preact/hooks';
import { ActionDialog, IconButton, useLoaded } from '../../components/index.ts';
import { rt } from '../../i18n/index.ts';
import { SourceDialog } from './editor/source-dialog.tsx';
import { getKinds, removeSource, type SourceRow } from './model/automation.ts';
import { mayChange } from './model/rights.ts';
import { t } from './texts.ts';

interface SourcesPartProps {
  readonly sources: readonly SourceRow[];
  readonly reload: () => Promise<void>;
}

/** All sources, with the automations that use each; those that nobody uses can be deleted. */
export function SourcesPart({ sources, reload }: SourcesPartProps) {
  const [edited, setEdited] = useState<string | undefined>();
  const [removed, setRemoved] = useState<SourceRow | undefined>();
  const { data: kinds } = useLoaded((signal) => getKinds(signal), []);
  const titleOf = (type: string): string => rt(kinds?.sources.find((kind) => kind.type === type)?.title ?? type);
  return (
    <section class="stack" aria-labelledby="automation-sources" data-part="sources">
      <h2 id="automation-sources">{t('Sources')}</h2>
      <ul class="automation-rows">
        {sources.map((source) => (
          <li key={source.id} class="card automation-row" data-source={source.name}>
            <div class="grow">
              <p class="row">
                <strong class="break">{source.name}</strong>
                <span class="badge">{titleOf(source.type)}</span>
              </p>
              <UsedBy source={source} />
            </div>
            {mayChange() ? (
              <span class="row">
                <IconButton
                  icon="pencil"
                  label={t('Change the source “{name}”', { name: source.name })}
                  onClick={() => setEdited(source.id)}
                />
                <IconButton
                  icon="trash-2"
                  label={t('Delete the source “{name}”', { name: source.name })}
                  onClick={() => setRemoved(source)}
                />
              </span>
            ) : null}
          </li>
        ))}
      </ul>
      {edited === undefined || kinds === undefined ? null : (
        <SourceDialog kinds={kinds.sources} id={edited} onClose={() => setEdited(undefined)} onSaved={reload} />
      )}
      {removed === undefined ? null : (
        <ActionDialog
          title={t('Delete the source “{name}”?', { name: removed.name })}
          action={t('Delete')}
          danger
          valid={removed.referencingPolicies.length === 0}
          run={async () => {
            await removeSource(removed.id);
            await reload();
          }}
          onClose={() => setRemoved(undefined)}
        >
          {removed.referencingPolicies.length === 0 ? (
            <p>{t('Its files stay where they are.')}</p>
          ) : (
            <>
              <p>{t('Automations use it. Give them another source first.')}</p>
              <UsedBy source={removed} />
            </>
          )}
        </ActionDialog>
      )}
    </section>
  );
}

function UsedBy({ source: { referencingPolicies } }: { readonly source: SourceRow }) {
  if (referencingPolicies.length === 0) return <p class="soft small">{t('No automation uses it')}</p>;
  return (
    <p class="small break">
      {t('Used by:')}{' '}
      {referencingPolicies.map(({ id, name }, i) => (
        <>
          {i === 0 ? null : ', '}
          <a key={id} href={`automations/${encodeURIComponent(id)}`}>
            {name}
          </a>
        </>
      ))}
    </p>
  );
}
