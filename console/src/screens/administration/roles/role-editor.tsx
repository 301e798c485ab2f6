import { useState } from 'preact/hooks';
import { asProblem, callJson, type Problem } from '../../../api/index.ts';
import {
  Button,
  Field,
  ProblemNotice,
  Segments,
  Switch,
  TextArea,
  TextInput,
  toast,
} from '../../../components/index.ts';
import { areaTitle, limitNames, limitTitle, nameFrom, type Rights, type Role, type RolesPage } from './role-facts.ts';
import { roleDescription, roleTitle } from './role-words.ts';
import { ToolChoices } from './tool-choices.tsx';
import { t } from './texts.ts';

interface RoleEditorProps {
  readonly page: RolesPage;
  readonly role: Role;
  readonly isNew: boolean;
  readonly onClose: () => void;
  readonly onSaved: () => Promise<void>;
}

/** One role: its name, tools, limits and what it administers. */
export function RoleEditor({ page, role, isNew, onClose, onSaved }: RoleEditorProps) {
  const [title, setTitle] = useState(roleTitle(role));
  const [ownName, setOwnName] = useState<string | undefined>();
  const [description, setDescription] = useState(roleDescription(role));
  const [rights, setRights] = useState<Rights>(role.rights);
  const [problem, setProblem] = useState<Problem | undefined>();
  const [busy, setBusy] = useState(false);
  const name = isNew ? (ownName ?? nameFrom(title)) : role.name;
  const change = (part: Partial<Rights>): void => setRights({ ...rights, ...part });
  const save = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      // What the server ships stays as it is stored: in English, for every language.
      const body = {
        title: title === roleTitle(role) ? role.title : title.trim(),
        description: description === roleDescription(role) ? role.description : description,
        rights,
      };
      if (isNew) await callJson('admin/roles', { body: { name, ...body } });
      else await callJson(`admin/roles/${name}`, { method: 'PUT', body: { version: role.version, ...body } });
      await onSaved();
      toast(t('Saved'));
      onClose();
    } catch (error) {
      setProblem(asProblem(error));
      setBusy(false);
    }
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void save();
      }}
    >
      <div class="row">
        <Button kind="quiet" icon="arrow-left" onClick={onClose}>
          {t('All roles')}
        </Button>
      </div>
      <section class="card stack">
        <h2>{isNew ? t('New role') : roleTitle(role)}</h2>
        <div class="role-fields">
          <Field label={t('Name that people see')} required>
            {(control) => (
              <TextInput control={control} autoFocus={isNew} maxLength={100} value={title} onText={setTitle} />
            )}
          </Field>
          <Field label={t('Name for programs')} help={t('It cannot be changed later.')} required>
            {(control) => (
              <TextInput
                control={control}
                class="code"
                spellcheck={false}
                disabled={!isNew}
                maxLength={63}
                value={name}
                onText={setOwnName}
              />
            )}
          </Field>
          <div class="wide">
            <Field label={t('Description')}>
              {(control) => (
                <TextArea control={control} rows={2} maxLength={1000} value={description} onText={setDescription} />
              )}
            </Field>
          </div>
        </div>
      </section>
      <ToolChoices options={page.options} rights={rights} onRights={setRights} />
      <section class="card stack">
        <h2>{t('Files and automation')}</h2>
        <div class="row">
          <span>{t('Stored files')}</span>
          <Segments
            label={t('Stored files')}
            value={rights.storage}
            options={[
              { value: 'none', label: t('None') },
              { value: 'read', label: t('Read') },
              { value: 'use', label: t('Read and write') },
            ]}
            onValue={(storage) => change({ storage: storage as Rights['storage'] })}
          />
        </div>
        <Field label={t('Create automations and saved pipelines')}>
          {(control) => (
            <Switch
              control={control}
              checked={rights.automations}
              onChecked={(automations) => change({ automations })}
            />
          )}
        </Field>
        <Field label={t('Create API keys')}>
          {(control) => (
            <Switch control={control} checked={rights.apiKeys} onChecked={(apiKeys) => change({ apiKeys })} />
          )}
        </Field>
      </section>
      <Limits rights={rights} change={change} />
      <Areas areas={page.options.areas} rights={rights} change={change} />
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      <div class="row">
        <Button kind="primary" icon="save" type="submit" busy={busy} disabled={title.trim() === '' || name === ''}>
          {t('Save')}
        </Button>
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <span class="soft small">{t('A change acts at once.')}</span>
      </div>
    </form>
  );
}

interface PartProps {
  readonly rights: Rights;
  readonly change: (part: Partial<Rights>) => void;
}

function Limits({ rights: { limits }, change }: PartProps) {
  return (
    <section class="card stack">
      <div>
        <h2>{t('Limits')}</h2>
        <p class="soft small">{t('Empty: no limit beside those of the server.')}</p>
      </div>
      <div class="limit-fields">
        {limitNames.map((name) => (
          <Field key={name} label={limitTitle(name)}>
            {(control) => (
              <TextInput
                control={control}
                type="number"
                min={name === 'pagesPerDocument' || name === 'jobsAtOnce' ? 1 : 0}
                step={1}
                value={limits[name]?.toString() ?? ''}
                onText={(text) => change({ limits: { ...limits, [name]: text.trim() === '' ? null : Number(text) } })}
              />
            )}
          </Field>
        ))}
      </div>
    </section>
  );
}

function Areas({ areas, rights, change }: PartProps & { readonly areas: readonly string[] }) {
  const chosen = rights.areas ?? areas;
  return (
    <section class="card stack">
      <div>
        <h2>{t('Administration')}</h2>
        <p class="soft small">{t('What accounts with this role administer. None of it, for most people.')}</p>
      </div>
      <div class="area-choices">
        {areas.map((id) => (
          <label key={id} class="check">
            <input
              type="checkbox"
              checked={chosen.includes(id)}
              onChange={({ currentTarget: { checked } }) =>
                change({ areas: checked ? [...chosen, id] : chosen.filter((one) => one !== id) })
              }
            />
            {areaTitle(id)}
          </label>
        ))}
      </div>
    </section>
  );
}
