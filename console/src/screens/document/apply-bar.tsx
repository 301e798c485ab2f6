import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../../components/index.ts';
import { t } from './texts.ts';

interface ApplyBarProps {
  readonly edited: boolean;
  readonly onApply: () => Promise<void>;
  readonly onDiscard: () => void;
  /** What applying does beside what was entered. */
  readonly children?: ComponentChildren;
}

/** Applies the edits of a part together, or discards them. */
export function ApplyBar({ edited, onApply, onDiscard, children }: ApplyBarProps) {
  const [busy, setBusy] = useState(false);
  const run = async (): Promise<void> => {
    setBusy(true);
    await onApply();
    setBusy(false);
  };
  return (
    <div class="apply-bar">
      <div class="row">
        <Button kind="primary" icon="check" busy={busy} disabled={!edited} onClick={() => void run()}>
          {t('Apply')}
        </Button>
        <Button kind="quiet" disabled={!edited || busy} onClick={onDiscard}>
          {t('Discard')}
        </Button>
      </div>
      {children === undefined ? null : <p class="soft small">{children}</p>}
    </div>
  );
}
