import type { FieldGroup, ShownField } from '@quire/registry';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { loadModule } from '../../api/index.ts';
import { kept } from '../../app/preferences.ts';
import { Button, Tabs } from '../../components/index.ts';
import { rt, textsReady } from '../../i18n/index.ts';
import type { GroupWidgetProps, PageViews } from '../../viewer/widgets.tsx';
import { kindOf } from '../../viewers/index.ts';
import type { Draft } from './draft.ts';
import { t } from './texts.ts';
import { isShown, numberOf } from '../../form/values.ts';

/** Whether the pages of the chosen files are shown. */
const pagesShown = kept('pagesShown', true);

interface View {
  readonly id: string;
  readonly label: string;
  /** Its fields are among the further options. */
  readonly advanced: boolean;
  readonly content: () => ComponentChildren;
}

interface DocumentPanelProps {
  readonly draft: Draft;
  /** Leads to a field of the form. */
  readonly onField: (name: string) => void;
}

/** The pages of the chosen PDFs: to look at them, and to choose pages and places on them for the fields. */
export function DocumentPanel({ draft, onField }: DocumentPanelProps) {
  const [first] = draft.operation.parts;
  const { password } = draft.operation;
  // The tool needs it too: people enter it once, where the tool asks for it.
  const onLocked = password === undefined ? undefined : () => onField(password);
  const files = (draft.files.value[first?.field ?? ''] ?? [])
    .map(({ file }) => ({ file, name: file.name, onLocked }))
    .filter(({ file, name }) => file.size > 0 && kindOf(file, name) === 'pdf');
  const [chosen, setChosen] = useState<string | undefined>();
  const widgets = useWidgets(files.length > 0 && pagesShown.value);
  if (files.length === 0) return null;
  if (!pagesShown.value)
    return (
      <div>
        <Button kind="quiet" size="small" icon="eye" onClick={() => (pagesShown.value = true)}>
          {t('Show the pages')}
        </Button>
      </div>
    );
  const views = widgets === undefined ? [] : viewsOf(draft, files, widgets);
  const current = views.find(({ id }) => id === chosen) ?? views[0];
  return (
    <section class="document-panel" aria-label={t('Pages of the chosen files')} aria-busy={widgets === undefined}>
      <Button kind="quiet" size="small" icon="eye-off" class="hide-pages" onClick={() => (pagesShown.value = false)}>
        {t('Hide the pages')}
      </Button>
      {current === undefined ? null : views.length === 1 ? (
        <>
          <h2 class="document-panel-title">{current.label}</h2>
          {current.content()}
        </>
      ) : (
        <Tabs label={t('Pages of the chosen files')} tabs={views} chosen={current.id} onChoose={setChosen} />
      )}
    </section>
  );
}

/** Loaded with the first PDF that is chosen. */
function useWidgets(wanted: boolean): PageViews | undefined {
  const [loaded, setLoaded] = useState<PageViews | undefined>();
  useEffect(() => {
    if (!wanted || loaded !== undefined) return undefined;
    let left = false;
    void loadModule(() => import('../../viewer/widgets.tsx')).then(async ({ pageViews }) => {
      await textsReady();
      if (!left) setLoaded(pageViews);
    });
    return () => void (left = true);
  }, [wanted]);
  return loaded;
}

type Files = readonly { readonly file: File; readonly name: string }[];

function viewsOf(draft: Draft, files: Files, widgets: PageViews): readonly View[] {
  const shown = draft.operation.fields.filter((field) => isShown(field, draft.typed.value));
  const views: View[] = [];
  for (const field of shown) {
    const Widget = widgets.pageWidgets[field.widget];
    if (Widget === undefined) continue;
    const value = String(draft.values.value[field.name] ?? '');
    views.push({
      id: field.name,
      label: rt(field.label),
      advanced: field.advanced === true,
      content: () => <Widget files={files} value={value} onValue={(next) => draft.set(field.name, next)} />,
    });
  }
  for (const group of draft.operation.groups) {
    const fields = shown.filter((field) => field.group === group.id);
    if (group.widget === undefined || fields.length === 0) continue;
    const Widget = widgets.groupWidgets[group.widget];
    views.push({
      id: group.id,
      label: rt(group.title),
      advanced: fields.every((field) => field.advanced === true),
      content: () => (
        <Widget
          label={rt(group.title)}
          files={files}
          frame={group.frame ?? 'page'}
          picture={draft.files.value[group.picture ?? '']?.[0]?.file}
          {...valuesOf(draft, group, fields)}
        />
      ),
    });
  }
  const { PageThumbnails } = widgets;
  const document: View = {
    id: '',
    label: t('Document'),
    advanced: false,
    content: () => <PageThumbnails files={files} />,
  };
  return [...views.filter(({ advanced }) => !advanced), document, ...views.filter(({ advanced }) => advanced)];
}

/** The numbers of a group by role, and how they are changed. */
function valuesOf(
  draft: Draft,
  { roles = {} }: FieldGroup,
  fields: readonly ShownField[],
): Pick<GroupWidgetProps, 'roles' | 'values' | 'onValues'> {
  const fieldOf = (role: string): ShownField | undefined => fields.find(({ name }) => name === roles[role]);
  const numberIn = (role: string): number | undefined => {
    const field = fieldOf(role);
    const number = field === undefined ? undefined : numberOf(String(draft.values.value[field.name] ?? ''));
    // A negative default means that there is none.
    return number === field?.default && (number ?? 0) < 0 ? undefined : number;
  };
  const names = Object.keys(roles);
  return {
    roles: names,
    values: Object.fromEntries(names.map((role) => [role, numberIn(role)])),
    onValues: (values) => {
      for (const [role, value] of Object.entries(values)) {
        const field = fieldOf(role);
        if (field !== undefined) draft.set(field.name, String(value ?? field.default ?? ''));
      }
    },
  };
}
