import { useState } from 'preact/hooks';
import { asProblem, type Problem } from '../../api/index.ts';
import { Button, Icon, IconButton, Menu, ProblemNotice, Switch } from '../../components/index.ts';
import { formatBytes, formatNumber } from '../../i18n/index.ts';
import { NextDialog } from '../tool/next-dialog.tsx';
import { saveDocument } from './save.ts';
import { t } from './texts.ts';
import { workbench } from './workbench.ts';

interface DocumentHeadProps {
  readonly onChoose: () => void;
  /** Asks before edits are lost that are not applied. */
  readonly ask: (go: () => void) => void;
}

/** Name and state of the document, and what can be done with it as a whole. */
export function DocumentHead({ onChoose, ask }: DocumentHeadProps) {
  const [next, setNext] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>();
  const { file, versions } = workbench;
  if (file === undefined) return null;
  const busy = workbench.running.value !== undefined;
  const save = (): void => {
    setProblem(undefined);
    saveDocument().catch((error: unknown) => setProblem(asProblem(error)));
  };
  return (
    <>
      <header class="document-head">
        <div class="grow">
          <h1 class="break">{file.name}</h1>
          <p class="soft small" role="status">
            {formatBytes(file.size)} · {stateText()}
          </p>
        </div>
        <div class="row">
          <div class="document-tools" role="toolbar" aria-label={t('Changes')}>
            <IconButton
              icon="undo-2"
              label={t('Undo')}
              disabled={busy || !versions.canUndo.value}
              onClick={() => ask(() => workbench.undo())}
            />
            <IconButton
              icon="redo-2"
              label={t('Redo')}
              disabled={busy || !versions.canRedo.value}
              onClick={() => ask(() => workbench.redo())}
            />
            <HistoryMenu ask={ask} />
          </div>
          <Button icon="arrow-right" disabled={busy} onClick={() => ask(() => setNext(true))}>
            {t('Continue with a tool')}
          </Button>
          <Button kind="primary" icon="download" disabled={busy} onClick={save}>
            {t('Save')}
          </Button>
          <Menu
            label={t('More')}
            side="end"
            class="button quiet normal icon-button"
            items={[
              { label: t('Open another PDF'), icon: 'folder-open', run: onChoose },
              { label: t('Close the document'), icon: 'x', danger: true, run: () => ask(() => closeDocument()) },
            ]}
          >
            <Icon name="ellipsis-vertical" />
          </Menu>
        </div>
      </header>
      {problem === undefined ? null : (
        <ProblemNotice
          problem={problem}
          actions={<Button onClick={() => setProblem(undefined)}>{t('Close')}</Button>}
        />
      )}
      <PasswordState />
      {next ? (
        <NextDialog from="" edits={false} name={file.name} read={async () => [file]} onClose={() => setNext(false)} />
      ) : null}
    </>
  );
}

function stateText(): string {
  const { versions } = workbench;
  if (versions.unsaved.value) return t('Changes are not saved');
  return versions.at.value === 0 ? t('Unchanged') : t('Saved');
}

function closeDocument(): void {
  workbench.close();
}

function HistoryMenu({ ask }: Pick<DocumentHeadProps, 'ask'>) {
  const { all, at } = workbench.versions;
  return (
    <Menu
      label={t('History')}
      side="end"
      class="button quiet normal icon-button"
      items={all.value.map(({ title }, i) => ({
        label: `${formatNumber(i + 1)} · ${title}`,
        checked: i === at.value,
        run: () => ask(() => workbench.goTo(i)),
      }))}
    >
      <Icon name="history" />
    </Menu>
  );
}

/** The working copy has no password; what is saved gets it back. */
function PasswordState() {
  if (workbench.password.value === undefined) return null;
  return (
    <div class="row password-state">
      <Icon name={workbench.keepPassword.value ? 'lock' : 'lock-open'} size={18} />
      <label class="row">
        <Switch checked={workbench.keepPassword.value} onChecked={(keep) => (workbench.keepPassword.value = keep)} />
        {t('Save it with its password')}
      </label>
      <span class="soft small">{t('Tools get the document without it.')}</span>
    </div>
  );
}
