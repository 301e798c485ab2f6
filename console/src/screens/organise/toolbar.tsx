import { Button, IconButton } from '../../components/index.ts';
import { deletePages } from './delete-pages.ts';
import { organiser } from './organiser.ts';
import type { RunState } from './result.tsx';
import { t } from './texts.ts';

interface OrganiseToolsProps {
  readonly onAdd: () => void;
  readonly run: RunState;
}

/** Everything that can be done with pages, as buttons. */
export function OrganiseTools({ onAdd, run }: OrganiseToolsProps) {
  const entries = organiser.entries.value;
  const selected = organiser.selected.value.size;
  const none = selected === 0;
  const all = selected === entries.length && !none;
  return (
    <div class="organise-bar">
      <Button icon="file-plus-2" busy={organiser.opening.value > 0} onClick={onAdd}>
        {t('Add PDFs')}
      </Button>
      <div class="organise-tools" role="toolbar" aria-label={t('Pages')}>
        <IconButton
          icon={all ? 'square-check-big' : 'square-dashed-mouse-pointer'}
          label={all ? t('Select none') : t('Select all')}
          aria-pressed={all}
          disabled={entries.length === 0}
          onClick={() => (organiser.selected.value = new Set(all ? [] : entries.map(({ id }) => id)))}
        />
        <hr />
        <IconButton icon="file-plus" label={t('Insert a blank page')} onClick={() => organiser.addBlank()} />
        <IconButton icon="rotate-ccw" label={t('Rotate left')} disabled={none} onClick={() => organiser.turn(-1)} />
        <IconButton icon="rotate-cw" label={t('Rotate right')} disabled={none} onClick={() => organiser.turn(1)} />
        <IconButton icon="copy" label={t('Duplicate')} disabled={none} onClick={() => organiser.duplicate()} />
        <IconButton icon="trash-2" label={t('Delete')} disabled={none} onClick={() => deletePages()} />
        <hr />
        <IconButton
          icon="chevron-left"
          label={t('Move towards the beginning')}
          disabled={none}
          onClick={() => organiser.moveBy(-1)}
        />
        <IconButton
          icon="chevron-right"
          label={t('Move towards the end')}
          disabled={none}
          onClick={() => organiser.moveBy(1)}
        />
        <hr />
        <IconButton
          icon="undo-2"
          label={t('Undo')}
          disabled={!organiser.entries.canUndo.value}
          onClick={() => organiser.undo()}
        />
        <IconButton
          icon="redo-2"
          label={t('Redo')}
          disabled={!organiser.entries.canRedo.value}
          onClick={() => organiser.redo()}
        />
      </div>
      <div class="end">
        <Button
          kind="primary"
          icon="check"
          busy={run.state === 'running'}
          disabled={!entries.some(({ source }) => source !== undefined)}
          onClick={run.start}
        >
          {t('Make the PDF')}
        </Button>
      </div>
    </div>
  );
}

/** How many pages there are, and the way back to none. */
export function OrganiseState() {
  const total = organiser.entries.value.length;
  const selected = organiser.selected.value.size;
  return (
    <div class="row">
      <span class="soft small" role="status">
        {selected === 0
          ? t.count(total, '{count} page', '{count} pages')
          : t.count(selected, '{count} of {total} pages selected', '{count} of {total} pages selected', { total })}
      </span>
      <Button kind="quiet" size="small" icon="x" onClick={() => organiser.clear()}>
        {t('Start again')}
      </Button>
    </div>
  );
}
