import { useState } from 'preact/hooks';
import { asProblem, callJson, type Problem } from '../../../api/index.ts';
import { ActionDialog, Button, Empty, LoadedView, TextInput, toast, useLoaded } from '../../../components/index.ts';
import { plain } from '../../tools/search.ts';
import { t } from '../texts.ts';
import { asText, fromText, savedValue, type Setting } from './setting-facts.ts';
import { RestartNotice } from './restart-notice.tsx';
import { SettingRow } from './setting-row.tsx';

/** Every setting with its meaning and origin; changes are shown before they are saved. */
export function SettingsEditor() {
  const [query, setQuery] = useState('');
  const [changedOnly, setChangedOnly] = useState(false);
  const [edits, setEdits] = useState<ReadonlyMap<string, string>>(new Map());
  const [faults, setFaults] = useState<ReadonlyMap<string, string>>(new Map());
  const [saving, setSaving] = useState(false);
  const loaded = useLoaded(() => callJson<{ settings: readonly Setting[] }>('admin/settings/described'), []);
  const edit = (key: string, text: string | undefined): void => {
    const next = new Map(edits);
    if (text === undefined) next.delete(key);
    else next.set(key, text);
    setEdits(next);
    setFaults(new Map([...faults].filter(([each]) => each !== key)));
  };
  const save = async (settings: readonly Setting[]): Promise<void> => {
    const values = Object.fromEntries(
      [...edits].flatMap(([key, text]) => {
        const setting = settings.find((each) => each.key === key);
        return setting === undefined ? [] : [[key, fromText(setting, text)]];
      }),
    );
    try {
      await callJson('admin/settings', { method: 'PUT', body: { settings: values } });
    } catch (error) {
      const problem = asProblem(error);
      setFaults(faultsOf(problem));
      throw problem;
    }
    setEdits(new Map());
    setFaults(new Map());
    await loaded.reload();
    toast(t('Saved. It takes effect after a restart.'));
  };
  return (
    <LoadedView loaded={loaded}>
      {({ settings }) => {
        const shown = settings.filter(
          (setting) =>
            plain(`${setting.key} ${setting.meaning}`).includes(plain(query.trim())) &&
            (!changedOnly || setting.origin !== 'shipped' || 'pending' in setting || edits.has(setting.key)),
        );
        const waiting = settings.filter((setting) => 'pending' in setting).length;
        return (
          <>
            {waiting === 0 ? null : <RestartNotice waiting={waiting} />}
            <div class="row between">
              <TextInput
                type="search"
                class="grow"
                aria-label={t('Search settings')}
                placeholder={t('Search settings')}
                value={query}
                onText={setQuery}
              />
              <label class="check">
                <input
                  type="checkbox"
                  checked={changedOnly}
                  onChange={(event) => setChangedOnly(event.currentTarget.checked)}
                />
                {t('Only those that differ from the default')}
              </label>
            </div>
            {shown.length === 0 ? (
              <Empty icon="search-x" title={t('No setting matches “{query}”', { query })} />
            ) : (
              sectionsOf(shown).map(([section, rows]) => (
                <details
                  key={section}
                  class="card more"
                  open={query !== '' || changedOnly || rows.some(({ key }) => faults.has(key))}
                >
                  <summary>
                    {section}{' '}
                    <span class="soft small">{t.count(rows.length, '{count} setting', '{count} settings')}</span>
                  </summary>
                  {rows.map((setting) => (
                    <SettingRow
                      key={setting.key}
                      setting={setting}
                      text={edits.get(setting.key)}
                      fault={faults.get(setting.key)}
                      onText={(text) => edit(setting.key, text)}
                    />
                  ))}
                </details>
              ))
            )}
            {edits.size === 0 ? null : (
              <div class="save-bar" role="status">
                <span>{t.count(edits.size, '{count} change', '{count} changes')}</span>
                <div class="row">
                  <Button onClick={() => setEdits(new Map())}>{t('Discard')}</Button>
                  <Button kind="primary" onClick={() => setSaving(true)}>
                    {t('Review and save')}
                  </Button>
                </div>
              </div>
            )}
            {saving ? (
              <ActionDialog
                size="large"
                title={t('Save these changes?')}
                action={t('Save')}
                onClose={() => setSaving(false)}
                run={() => save(settings)}
              >
                <Difference settings={settings} edits={edits} />
              </ActionDialog>
            ) : null}
          </>
        );
      }}
    </LoadedView>
  );
}

function sectionsOf(settings: readonly Setting[]): readonly (readonly [string, readonly Setting[]])[] {
  const groups = new Map<string, Setting[]>();
  for (const setting of settings) {
    const section = setting.key.split('.')[0] ?? '';
    groups.set(section, [...(groups.get(section) ?? []), setting]);
  }
  return [...groups];
}

/** Faults by key: the pointers are `/settings/<key>`. */
function faultsOf({ faults }: Problem): ReadonlyMap<string, string> {
  return new Map(
    faults.map(({ pointer, detail }) => [
      pointer
        .replace(/^\/settings\//, '')
        .replaceAll('/', '.')
        .replaceAll('~1', '/')
        .replaceAll('~0', '~'),
      detail,
    ]),
  );
}

interface DifferenceProps {
  readonly settings: readonly Setting[];
  readonly edits: ReadonlyMap<string, string>;
}

/** What is saved, beside what was. */
function Difference({ settings, edits }: DifferenceProps) {
  return (
    <div class="table-box">
      <table class="table diff">
        <thead>
          <tr>
            <th scope="col">{t('Setting')}</th>
            <th scope="col">{t('Before')}</th>
            <th scope="col">{t('After')}</th>
          </tr>
        </thead>
        <tbody>
          {[...edits].map(([key, text]) => {
            const setting = settings.find((each) => each.key === key);
            if (setting === undefined) return null;
            return (
              <tr key={key}>
                <td data-label={t('Setting')} class="break">
                  <code>{key}</code>
                </td>
                <td data-label={t('Before')} class="break">
                  {asText(savedValue(setting)) || t('(empty)')}
                </td>
                <td data-label={t('After')} class="break">
                  <strong>{setting.secret ? '••••••••' : text || t('(empty)')}</strong>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
