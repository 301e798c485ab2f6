import { useState } from 'preact/hooks';
import { catalog, operationOf } from '../../../api/index.ts';
import { Field, Icon, Switch, ToolIcon } from '../../../components/index.ts';
import { rt } from '../../../i18n/index.ts';
import { categoryOf, includes, withCategory, withTool, type Rights, type RolesPage } from './role-facts.ts';
import { t } from './texts.ts';

interface ToolChoicesProps {
  readonly options: RolesPage['options'];
  readonly rights: Rights;
  readonly onRights: (rights: Rights) => void;
}

/** Which tools a role has: all, whole categories, and single ones beside or against these. */
export function ToolChoices({ options, rights, onRights }: ToolChoicesProps) {
  const all = rights.categories === null && rights.operations.deny.length === 0;
  return (
    <section class="card stack">
      <h2>{t('Tools')}</h2>
      <Field label={t('All tools, also those that come later')}>
        {(control) => (
          <Switch
            control={control}
            checked={all}
            onChecked={(checked) =>
              onRights({
                ...rights,
                categories: checked ? null : [...options.categories],
                operations: { allow: [], deny: [] },
              })
            }
          />
        )}
      </Field>
      {all ? null : (
        <div>
          {options.categories.map((id) => (
            <ToolCategory key={id} id={id} options={options} rights={rights} onRights={onRights} />
          ))}
        </div>
      )}
    </section>
  );
}

function ToolCategory({ id, options, rights, onRights }: ToolChoicesProps & { readonly id: string }) {
  const [open, setOpen] = useState(false);
  const shown = catalog.value?.categories.find((category) => category.id === id);
  const title = shown === undefined ? id : rt(shown.title);
  const tools = options.operations.filter((path) => categoryOf(path) === id);
  const on = tools.filter((path) => includes(rights, path)).length;
  return (
    <div class="tool-category">
      <div class="tool-category-head">
        <Switch
          label={title}
          checked={on > 0}
          onChecked={(checked) => onRights(withCategory(rights, options.categories, id, checked))}
        />
        <button type="button" class="switches-head" aria-expanded={open} onClick={() => setOpen(!open)}>
          {shown === undefined ? null : <ToolIcon icon={shown.icon} size={18} />}
          <span>{title}</span>
          <span class="soft small">{t('{count} of {total}', { count: on, total: tools.length })}</span>
          <Icon name={open ? 'chevron-down' : 'chevron-right'} size={16} />
        </button>
      </div>
      {open ? (
        <div class="tool-choices">
          {tools.map((path) => (
            <label key={path} class="check">
              <input
                type="checkbox"
                checked={includes(rights, path)}
                onChange={({ currentTarget: { checked } }) => onRights(withTool(rights, path, checked))}
              />
              {toolTitle(path)}
            </label>
          ))}
        </div>
      ) : null}
    </div>
  );
}

/** A tool as people know it. */
export function toolTitle(path: string): string {
  const operation = operationOf(path);
  return operation === undefined ? path : rt(operation.title);
}
