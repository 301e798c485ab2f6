import { useState } from 'preact/hooks';
import { filesOfTransfer } from '../files/index.ts';
import { Button } from './button.tsx';
import './drop-zone.css';
import { Icon } from './icon.tsx';

interface DropZoneProps {
  readonly title: string;
  /** What the button says. */
  readonly action: string;
  readonly icon: string;
  readonly busy?: boolean;
  /** What is under way while it is busy. */
  readonly doing?: string | undefined;
  readonly onChoose: () => void;
  readonly onFiles: (files: readonly File[]) => void;
}

/** A large place for the first files of a screen. Import it with the screen that needs it. */
export function DropZone({ title, action, icon, busy = false, doing, onChoose, onFiles }: DropZoneProps) {
  const [over, setOver] = useState(false);
  return (
    <div
      class={`drop-zone ${over ? 'over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (event.dataTransfer !== null) void filesOfTransfer(event.dataTransfer).then(onFiles);
      }}
    >
      <Icon name={icon} size={36} />
      <p class="empty-title">{title}</p>
      <Button kind="primary" size="large" icon="plus" busy={busy} onClick={onChoose}>
        {action}
      </Button>
      <p class="soft break" role="status">
        {busy ? doing : null}
      </p>
    </div>
  );
}
