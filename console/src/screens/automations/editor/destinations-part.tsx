import { Icon, IconButton, Menu, ToolIcon } from '../../../components/index.ts';
import { ToolForm } from '../../../form/form.tsx';
import { rt } from '../../../i18n/index.ts';
import type { AutomationDraft, DestinationDraft } from '../model/automation-draft.ts';
import { t } from '../texts.ts';

/** Where results go: every result to all of them. */
export function DestinationsPart({ draft }: { readonly draft: AutomationDraft }) {
  const destinations = draft.destinations.value;
  const { kinds } = draft.known.value;
  return (
    <section class="card stack" aria-labelledby="automation-destinations">
      <h2 id="automation-destinations">{t('Where results go')}</h2>
      {destinations.length === 0 ? (
        <p class="soft">
          {t('Without a destination, results stay with the job, where they can be downloaded for a while.')}
        </p>
      ) : null}
      {destinations.map((destination, at) => (
        <DestinationForm
          key={destination.key}
          at={at}
          destination={destination}
          onRemove={() => draft.removeDestination(destination)}
        />
      ))}
      <div class="row">
        <Menu
          label={t('Add a destination')}
          class="button plain small"
          items={kinds.destinations.map((kind) => ({
            label: rt(kind.title),
            icon: kind.icon,
            run: () => draft.addDestination(kind),
          }))}
        >
          <Icon name="plus" size={16} />
          {t('Add a destination')}
        </Menu>
      </div>
    </section>
  );
}

interface DestinationFormProps {
  readonly at: number;
  readonly destination: DestinationDraft;
  readonly onRemove: () => void;
}

function DestinationForm({ at, destination, onRemove }: DestinationFormProps) {
  const { kind, options, fault } = destination;
  return (
    <fieldset class="automation-part stack" data-destination={at}>
      <legend class="row between">
        <span class="row">
          <ToolIcon icon={kind.icon} />
          {rt(kind.title)}
        </span>
        <IconButton
          icon="trash-2"
          size="small"
          label={t('Remove destination {number}', { number: at + 1 })}
          onClick={onRemove}
        />
      </legend>
      <p class="soft small">{rt(kind.help)}</p>
      {fault.value === undefined ? null : (
        <p class="field-error" dir="auto">
          <Icon name="circle-alert" size={16} />
          <span>{fault.value}</span>
        </p>
      )}
      {kind.fields.length === 0 ? null : <ToolForm draft={options} />}
    </fieldset>
  );
}
