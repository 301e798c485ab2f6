import { Button, Icon, IconButton } from '../../components/index.ts';
import { t } from './texts.ts';

interface UndoBarProps {
  readonly text: string;
  readonly onUndo: () => void;
  readonly onClose: () => void;
}

/** Says what was removed, and puts it back. */
export function UndoBar({ text, onUndo, onClose }: UndoBarProps) {
  return (
    <div class="undo-bar" role="status">
      <Icon name="trash-2" size={18} />
      <span class="grow break">{text}</span>
      <Button size="small" icon="undo-2" onClick={onUndo}>
        {t('Undo')}
      </Button>
      <IconButton size="small" icon="x" label={t('Close')} onClick={onClose} />
    </div>
  );
}
