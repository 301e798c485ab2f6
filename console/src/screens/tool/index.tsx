import type { ShownOperation } from '@quire/registry';
import { useEffect, useRef, useState } from 'preact/hooks';
import { asProblem, catalog, catalogProblem, loadCatalog, operationOf } from '../../api/index.ts';
import { takeHandedFiles } from '../../app/hand-over.ts';
import { place, setQuery } from '../../app/router.ts';
import type { ScreenProps } from '../../app/screen-props.ts';
import { Button, Empty, LinkButton, Loading, Menu, ProblemNotice, toast } from '../../components/index.ts';
import { filesOfTransfer } from '../../files/index.ts';
import { rt } from '../../i18n/index.ts';
import { DocumentPanel } from './document-panel.tsx';
import { type Draft, draftOf } from './draft.ts';
import { type Example, fillExample } from './example.ts';
import { repeatedPart } from './file-checks.ts';
import { FilePart } from './file-part.tsx';
import { ToolForm } from '../../form/form.tsx';
import { ToolHead, UnavailableNotice, type ToolHome } from './head.tsx';
import { ScreenLink } from './screen-link.tsx';
import { RunBar } from './run-bar.tsx';
import { RunPanel } from './run-panel.tsx';
import { findJobsAgain, startRun } from './run/start-run.ts';
import { checkLater } from './server-check.ts';
import { SnippetPanel } from './snippet-panel.tsx';
import { t } from './texts.ts';
import './tool.css';

/** One tool: files, form, run, result. */
export function Screen({ params }: ScreenProps) {
  useEffect(() => void loadCatalog(), []);
  const path = params['rest'] ?? '';
  const operation = operationOf(path);
  if (catalog.value === undefined && catalogProblem.value !== undefined)
    return (
      <div class="page">
        <ProblemNotice
          problem={catalogProblem.value}
          actions={<Button onClick={() => void loadCatalog(true)}>{t('Try again')}</Button>}
        />
      </div>
    );
  if (catalog.value === undefined) return <Loading label={t('Loading the tool')} />;
  if (operation === undefined)
    return (
      <Empty whole icon="search-x" title={t('There is no tool “{tool}”', { tool: path })}>
        <LinkButton kind="primary" href="./">
          {t('Show all tools')}
        </LinkButton>
      </Empty>
    );
  return <Tool key={path} operation={operation} />;
}

interface ToolProps {
  readonly operation: ShownOperation;
  /** Where it belongs, if it is no tool of a category. */
  readonly home?: ToolHome;
}

/** The page of a tool: files, form, run, result. */
export function Tool({ operation, home }: ToolProps) {
  const draft = draftOf(operation);
  const page = useRef<HTMLFormElement>(null);
  const values = draft.values.value;
  useEffect(() => checkLater(draft), [values]);
  useEffect(() => {
    findJobsAgain(draft);
    const handed = takeHandedFiles();
    const [first] = operation.parts;
    if (handed.length > 0 && first !== undefined) {
      draft.setFiles(first.field, []);
      draft.addFiles(first, handed, takesMany(draft, first));
    }
    return acceptFiles(draft);
  }, [draft]);
  useEffect(() => {
    document.title = document.title.replace(/^[^·]*/, `${rt(operation.title)} `);
  });
  const run = (): void => {
    const faulty = startRun(draft);
    if (faulty !== undefined) setTimeout(() => showField(page.current, faulty));
  };
  const available = operation.availability.state === 'available';
  return (
    <form
      ref={page}
      class="page tool"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (available) run();
      }}
    >
      <ToolHead operation={operation} home={home} examples={<Examples draft={draft} />} />
      {available ? null : <UnavailableNotice operation={operation} />}
      {operation.screen === undefined ? null : <ScreenLink draft={draft} screen={operation.screen} />}
      <div class={`tool-columns ${operation.parts.length === 0 ? 'single' : ''}`}>
        <div class="stack-large">
          {draft.shownParts.map((part) => (
            <FilePart key={part.field} draft={draft} part={part} many={takesMany(draft, part)} />
          ))}
          <DocumentPanel draft={draft} onField={(name) => showField(page.current, name)} />
          {draft.run.value === undefined ? null : <RunPanel draft={draft} run={draft.run.value} />}
        </div>
        <aside class="options-column" aria-label={t('Options')}>
          <div class="card tool-options">
            <div class="tool-options-fields stack">
              <h2>{t('Options')}</h2>
              <ToolForm draft={draft} />
            </div>
            <RunBar draft={draft} available={available} />
          </div>
        </aside>
      </div>
      <details class="more card" onToggle={(event) => event.currentTarget.open}>
        <summary>{t('Use this from a program')}</summary>
        <SnippetPanel draft={draft} />
      </details>
    </form>
  );
}

/** Several files: where the tool uses them together, or is run once for each. */
function takesMany(draft: Draft, part: ShownOperation['parts'][number]): boolean {
  return part.many || part.field === repeatedPart(draft.operation);
}

/** Takes files that are pasted, or dropped beside the boxes. */
function acceptFiles(draft: Draft): () => void {
  const take = (data: DataTransfer | null, event: Event): void => {
    const [part] = draft.shownParts;
    if (data === null || part === undefined || ![...data.types].includes('Files')) return;
    event.preventDefault();
    void filesOfTransfer(data).then((files) => {
      if (files.length > 0) draft.addFiles(part, files, takesMany(draft, part));
    });
  };
  const paste = (event: ClipboardEvent): void => take(event.clipboardData, event);
  const drop = (event: DragEvent): void => take(event.dataTransfer, event);
  const over = (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault();
  };
  document.addEventListener('paste', paste);
  document.addEventListener('drop', drop);
  document.addEventListener('dragover', over);
  return () => {
    document.removeEventListener('paste', paste);
    document.removeEventListener('drop', drop);
    document.removeEventListener('dragover', over);
  };
}

/** Brings a field into view, and the focus to it. */
function showField(page: HTMLElement | null, name: string): void {
  const field = page?.querySelector<HTMLElement>(`[data-field="${CSS.escape(name)}"]`);
  const details = field?.closest('details');
  if (details !== null && details !== undefined) details.open = true;
  const control = field?.querySelector<HTMLElement>('input:not([hidden]), select, textarea, button');
  control?.focus();
  field?.scrollIntoView({ block: 'center' });
}

/** Fills the form with an example of the operation; one that the address names (`?example=1`) at once. */
function Examples({ draft }: { readonly draft: Draft }) {
  const [busy, setBusy] = useState(false);
  const { examples } = draft.operation;
  const [first] = examples;
  const fill = async (example: Example): Promise<void> => {
    setBusy(true);
    try {
      await fillExample(draft, example);
    } catch (error) {
      toast(asProblem(error).message || t('The example could not be loaded.'), 'error');
    } finally {
      setBusy(false);
    }
  };
  const wanted = examples[Number(place.value.query.get('example') ?? 0) - 1];
  useEffect(() => {
    if (wanted === undefined) return;
    // Going back, or loading the page again, must not replace what was entered since.
    setQuery({ example: undefined });
    void fill(wanted);
  }, [wanted]);
  if (first === undefined) return null;
  if (examples.length === 1)
    return (
      <Button icon="flask-conical" busy={busy} data-example onClick={() => void fill(first)}>
        {t('Try an example')}
      </Button>
    );
  return (
    <Menu
      label={t('Try an example')}
      class="button plain normal"
      side="end"
      items={examples.map((example) => ({ label: rt(example.title), run: () => void fill(example) }))}
    >
      {busy ? <span class="spinner" /> : null}
      {t('Try an example')}
    </Menu>
  );
}
