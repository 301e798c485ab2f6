import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { asProblem, callJson, catalog, loadCatalog, operationOf } from '../../api/index.ts';
import { Icon, LoadedView, Switch, TextInput, toast, useLoaded } from '../../components/index.ts';
import { formatList, rt } from '../../i18n/index.ts';
import { plain } from '../tools/search.ts';
import { t } from './texts.ts';

interface OperationState {
  readonly path: string;
  readonly enabled: boolean;
  /** Programs and settings that it lacks. */
  readonly missing: readonly string[];
  readonly decidedBy: string;
}
interface PluginState {
  readonly name: string;
  readonly version: string;
  readonly enabled: boolean;
  readonly operations: readonly OperationState[];
}

/** Categories and tools, each on or off; a switch takes effect at once. */
export function Tools() {
  const [query, setQuery] = useState('');
  const loaded = useLoaded(() => callJson<{ plugins: readonly PluginState[] }>('admin/plugins'), []);
  const change = async (what: Readonly<Record<string, string | boolean>>): Promise<void> => {
    try {
      await callJson('admin/plugins', { method: 'PATCH', body: what });
      await Promise.all([loaded.reload(), loadCatalog(true)]);
    } catch (error) {
      toast(asProblem(error).message, 'error');
      await loaded.reload();
    }
  };
  return (
    <>
      <TextInput
        type="search"
        aria-label={t('Search tools')}
        placeholder={t('Search tools')}
        value={query}
        onText={setQuery}
      />
      <LoadedView loaded={loaded}>
        {({ plugins }) => (
          <div class="stack">
            {categoriesOf(plugins).map(({ id, title, operations }) => {
              const shown = operations.filter(({ path }) => matches(path, query));
              if (shown.length === 0) return null;
              const on = operations.filter(({ enabled }) => enabled).length;
              return (
                <Category
                  key={id}
                  title={title}
                  count={t('{on} of {total} on', { on, total: operations.length })}
                  on={on > 0}
                  searched={query !== ''}
                  onChecked={(enabled) => void change({ category: id, enabled })}
                >
                  {shown.map(({ path, enabled, missing, decidedBy }) => (
                    <li key={path} class="switch-row">
                      <span class="grow">
                        {titleOf(path)} <code class="soft small">{path.replace('/api/v1/', '')}</code>
                        {enabled ? null : <span class="soft small block break">{whyOff(missing, decidedBy)}</span>}
                      </span>
                      <Switch
                        label={titleOf(path)}
                        checked={enabled}
                        disabled={!enabled && !/^(?:switch|default)\b/.test(decidedBy)}
                        onChecked={(to) => void change({ operation: path, enabled: to })}
                      />
                    </li>
                  ))}
                </Category>
              );
            })}
          </div>
        )}
      </LoadedView>
    </>
  );
}

interface CategoryProps {
  readonly title: string;
  readonly count: string;
  readonly on: boolean;
  /** Its tools are shown without a click. */
  readonly searched: boolean;
  readonly onChecked: (on: boolean) => void;
  readonly children: ComponentChildren;
}

function Category({ title, count, on, searched, onChecked, children }: CategoryProps) {
  const [opened, setOpened] = useState(false);
  const open = opened || searched;
  return (
    <section class="card switches">
      <div class="row">
        <button type="button" class="switches-head" aria-expanded={open} onClick={() => setOpened(!opened)}>
          <Icon name={open ? 'chevron-down' : 'chevron-right'} size={18} />
          {title} <span class="soft small">{count}</span>
        </button>
        <Switch label={t('Category {name}', { name: title })} checked={on} onChecked={onChecked} />
      </div>
      {open ? <ul>{children}</ul> : null}
    </section>
  );
}

function whyOff(missing: readonly string[], decidedBy: string): string {
  if (missing.length > 0) return t('Missing: {names}', { names: formatList(missing) });
  return /^(?:switch|default)\b/.test(decidedBy)
    ? t('Switched off here')
    : t('Switched off by {where}', { where: decidedBy });
}

function titleOf(path: string): string {
  const operation = operationOf(path.replace('/api/v1/', ''));
  return operation === undefined ? path : rt(operation.title);
}

function matches(path: string, query: string): boolean {
  return plain(`${titleOf(path)} ${path}`).includes(plain(query.trim()));
}

function categoriesOf(plugins: readonly PluginState[]) {
  const groups = new Map<string, OperationState[]>();
  for (const operation of plugins.flatMap((plugin) => plugin.operations)) {
    const id = operation.path.split('/')[3] ?? '';
    groups.set(id, [...(groups.get(id) ?? []), operation]);
  }
  const titles = new Map(catalog.value?.categories.map(({ id, title }) => [id, rt(title)]));
  // Endpoints that are no tools have prefixes of their own.
  return [...groups]
    .filter(([id]) => titles.has(id))
    .map(([id, operations]) => ({ id, title: titles.get(id) ?? id, operations }));
}
