import { Button, IconButton, TextInput } from '../../../components/index.ts';
import { t } from '../texts.ts';
import { ownEntry, type faultsOf, type OwnEntry } from './values.ts';

interface OwnEntriesProps {
  readonly entries: readonly OwnEntry[];
  readonly faults: ReturnType<typeof faultsOf>;
  readonly onEntries: (entries: readonly OwnEntry[]) => void;
}

/** Entries with names of the author's own. */
export function OwnEntries({ entries, faults, onEntries }: OwnEntriesProps) {
  const set = (id: number, values: Partial<OwnEntry>): void =>
    onEntries(entries.map((entry) => (entry.id === id ? { ...entry, ...values } : entry)));
  return (
    <section class="stack" aria-labelledby="own-entries">
      <div class="row between">
        <h2 id="own-entries">{t('Own entries')}</h2>
        <Button size="small" icon="plus" onClick={() => onEntries([...entries, ownEntry()])}>
          {t('Add an entry')}
        </Button>
      </div>
      {entries.length === 0 ? <p class="soft small">{t('There are none, for example “Department”.')}</p> : null}
      {entries.map(({ id, name, value }) => (
        <div key={id} class="own-entry">
          <TextInput
            aria-label={t('Name of the entry')}
            placeholder={t('Name')}
            aria-invalid={faults.has(id) && name !== '' ? 'true' : undefined}
            value={name}
            onText={(text) => set(id, { name: text })}
          />
          <TextInput
            aria-label={t('Value of “{name}”', { name })}
            placeholder={t('Value')}
            dir="auto"
            value={value}
            onText={(text) => set(id, { value: text })}
          />
          <IconButton
            icon="trash-2"
            label={t('Remove “{name}”', { name })}
            onClick={() => onEntries(entries.filter((entry) => entry.id !== id))}
          />
          <Fault fault={name === '' ? undefined : faults.get(id)} />
        </div>
      ))}
    </section>
  );
}

function Fault({ fault }: { readonly fault: 'missing' | 'standard' | 'twice' | undefined }) {
  if (fault === undefined) return null;
  return (
    <p class="field-error" role="status">
      {fault === 'twice' ? t('Another entry has this name.') : t('This name is one of the fields above.')}
    </p>
  );
}
