import { Button, Icon } from '../../components/index.ts';
import type { Draft } from './draft.ts';
import { checkFiles, namesOf, repeatedPart, runnableFiles, type PickedFile } from './file-checks.ts';
import { useLockedFile } from './locked-file.ts';
import { t } from './texts.ts';

/** Starts the tool; above it, what is left out or keeps it from running. */
export function RunBar({ draft, available }: { readonly draft: Draft; readonly available: boolean }) {
  const locked = useLockedFile(draft);
  const busy = draft.run.value !== undefined && !draft.run.value.ended;
  const repeated = repeatedPart(draft.operation);
  const all = draft.files.value[repeated ?? ''] ?? [];
  const count = runnableFiles(draft).length;
  return (
    <>
      {draft.shownParts.map((part) => {
        const { good, bad } = checkFiles(part, draft.files.value[part.field] ?? []);
        // A single file says it itself.
        if (bad.length === 0 || good.length === 0) return null;
        const leftOut = part.field === repeated;
        return (
          <BadFiles key={part.field} bad={bad} leftOut={leftOut} onRemove={() => draft.setFiles(part.field, good)} />
        );
      })}
      {locked === undefined ? null : (
        <p class="run-note" role="status">
          <Icon name="lock" size={18} />
          <span class="break">{t('“{name}” needs a password', { name: locked })}</span>
        </p>
      )}
      <div class="run-bar">
        <Button
          kind="primary"
          size="large"
          type="submit"
          icon="play"
          busy={busy}
          disabled={!available || locked !== undefined}
        >
          {all.length > 1 && count > 0 ? t.count(count, 'Run for {count} file', 'Run for {count} files') : t('Run')}
        </Button>
        <Button kind="quiet" size="large" onClick={() => draft.reset()}>
          {t('Reset')}
        </Button>
      </div>
    </>
  );
}

interface BadFilesProps {
  readonly bad: readonly PickedFile[];
  /** The tool runs without them. */
  readonly leftOut: boolean;
  readonly onRemove: () => void;
}

function BadFiles({ bad, leftOut, onRemove }: BadFilesProps) {
  const files = namesOf(bad);
  return (
    <div class="run-note warning" role="status">
      <Icon name="triangle-alert" size={18} />
      <p class="break">
        {leftOut ? t('Left out: {files}', { files }) : t('These files cannot be used: {files}', { files })}
      </p>
      <Button size="small" onClick={onRemove}>
        {t('Remove them')}
      </Button>
    </div>
  );
}
