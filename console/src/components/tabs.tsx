import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

export interface Tab {
  readonly id: string;
  readonly label: ComponentChildren;
  readonly content: () => ComponentChildren;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

/** Tabs with arrow keys; the chosen one is shown (WAI-ARIA, tabs with automatic activation). */
export function Tabs({ label, tabs, chosen, onChoose }: TabsProps) {
  const id = useId();
  const current = tabs.find((tab) => tab.id === chosen) ?? tabs[0];
  const keys = (event: KeyboardEvent): void => {
    const at = tabs.findIndex((tab) => tab === current);
    const forward = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    const backward = forward === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft';
    const to = { [forward]: at + 1, [backward]: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = tabs.at(to % tabs.length);
    if (next === undefined) return;
    onChoose(next.id);
    document.getElementById(`${id}-${next.id}`)?.focus();
  };
  return (
    <div class="tabs">
      <div class="tab-list" role="tablist" aria-label={label} onKeyDown={keys}>
        {tabs.map((tab) => (
          <button
            type="button"
            role="tab"
            key={tab.id}
            id={`${id}-${tab.id}`}
            aria-selected={tab === current}
            aria-controls={`${id}p`}
            tabIndex={tab === current ? 0 : -1}
            onClick={() => onChoose(tab.id)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div class="tab-panel" role="tabpanel" id={`${id}p`} aria-labelledby={`${id}-${current?.id ?? ''}`} tabIndex={0}>
        {current?.content()}
      </div>
    </div>
  );
}
