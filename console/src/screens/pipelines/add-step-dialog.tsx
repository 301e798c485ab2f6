import type { ShownOperation } from '@quire/registry';
import { useState } from 'preact/hooks';
import { catalog } from '../../api/index.ts';
import { Combobox, Dialog, ToolIcon } from '../../components/index.ts';
import { compareTexts, rt } from '../../i18n/index.ts';
import { searchTools } from '../tools/search.ts';
import { acceptedBy } from './model/flow.ts';
import '../tools/tools.css';
import { t } from './texts.ts';

interface AddStepDialogProps {
  /** Kinds that the step before gives; undefined for any. */
  readonly reaching: readonly string[] | undefined;
  readonly onClose: () => void;
  readonly onChoose: (path: string) => void;
}

/** Chooses the tool of a new step. Tools that take what the step before gives come first. */
export function AddStepDialog({ reaching, onClose, onChoose }: AddStepDialogProps) {
  const [query, setQuery] = useState('');
  const titles = new Map(catalog.value?.categories.map(({ id, title }) => [id, rt(title)]));
  return (
    <Dialog kind="palette" title={t('Add a step')} onClose={onClose}>
      <Combobox
        always
        autoFocus
        label={t('Add a step')}
        placeholder={t('What should happen next?')}
        value={query}
        onText={setQuery}
        items={possibleSteps(reaching).flatMap((operations) => searchTools(operations, query))}
        itemKey={({ path }) => path}
        itemText={({ icon, title, summary, category }) => (
          <span class="palette-item step-choice">
            <ToolIcon icon={icon} size={18} />
            <span class="palette-title">{rt(title)}</span>
            <span class="palette-aside">{rt(summary)}</span>
            <span class="badge">{titles.get(category) ?? category}</span>
          </span>
        )}
        onChoose={({ path }) => onChoose(path)}
        empty={<p class="palette-empty soft">{t('No tool matches.')}</p>}
      />
    </Dialog>
  );
}

/**
 * The tools that can be steps: first those that take what reaches them, then the others. Tools that always need a
 * second file cannot be steps.
 */
function possibleSteps(reaching: readonly string[] | undefined): readonly (readonly ShownOperation[])[] {
  const order = new Map(catalog.value?.categories.map(({ id, order: place }) => [id, place]));
  const fits = (operation: ShownOperation): boolean => {
    const accepted = acceptedBy(operation);
    return reaching === undefined || accepted === undefined || reaching.some((kind) => accepted.includes(kind));
  };
  const possible = (catalog.value?.operations ?? [])
    .filter(
      ({ pipeline, availability, deprecated, parts }) =>
        pipeline &&
        availability.state === 'available' &&
        deprecated === undefined &&
        !parts.slice(1).some(({ required }) => required),
    )
    .sort(
      (a, b) =>
        (order.get(a.category) ?? 0) - (order.get(b.category) ?? 0) ||
        a.order - b.order ||
        compareTexts(rt(a.title), rt(b.title)),
    );
  return [possible.filter(fits), possible.filter((operation) => !fits(operation))];
}
