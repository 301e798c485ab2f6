import { useState } from 'preact/hooks';
import { Combobox, Dialog, ToolIcon } from '../../components/index.ts';
import { plain } from './search.ts';
import './tools.css';

/** A line of the list: a tool, or something else that goes on. */
export interface Choice {
  readonly key: string;
  readonly icon: string;
  readonly title: string;
  readonly summary: string;
  readonly category?: string;
  readonly choose: () => void;
}

/** Whether each word of a query begins a word of a title. */
export function isFound(title: string, query: string): boolean {
  const words = plain(title).split(/\s+/);
  const wanted = plain(query).trim();
  return wanted === '' || wanted.split(/\s+/).every((word) => words.some((each) => each.startsWith(word)));
}

interface ChoiceDialogProps {
  readonly title: string;
  readonly placeholder: string;
  readonly choicesFor: (query: string) => readonly Choice[];
  /** Where nothing fits. */
  readonly empty: string;
  readonly onClose: () => void;
}

/** Chooses what happens next from a list that is searched. */
export function ChoiceDialog({ title, placeholder, choicesFor, empty, onClose }: ChoiceDialogProps) {
  const [query, setQuery] = useState('');
  return (
    <Dialog kind="palette" title={title} onClose={onClose}>
      <Combobox
        always
        autoFocus
        label={title}
        placeholder={placeholder}
        value={query}
        onText={setQuery}
        items={choicesFor(query)}
        itemKey={({ key }) => key}
        itemText={({ icon, title: name, summary, category }) => (
          <span class={`palette-item ${category === undefined ? '' : 'step-choice'}`}>
            <ToolIcon icon={icon} size={18} />
            <span class="palette-title">{name}</span>
            <span class="palette-aside">{summary}</span>
            {category === undefined ? null : <span class="badge">{category}</span>}
          </span>
        )}
        onChoose={({ choose }) => choose()}
        empty={<p class="palette-empty soft">{empty}</p>}
      />
    </Dialog>
  );
}
