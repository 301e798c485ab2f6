import { useRef } from 'preact/hooks';
import { Button, Icon, IconButton, Select } from '../../../components/index.ts';
import { ToolForm } from '../../../form/form.tsx';
import { rt } from '../../../i18n/index.ts';
import { isRecord } from '../../../viewers/index.ts';
import { factTitle } from '../model/branches.ts';
import {
  knownFacts,
  knownFilters,
  newFact,
  newFilter,
  readCondition,
  replaced,
  conditionJson,
  type Condition,
} from '../model/condition.ts';
import { API } from '../model/definition.ts';
import type { Step } from '../model/step.ts';
import { t } from '../texts.ts';
import { FactTests } from './fact-tests.tsx';

/** The condition of a step: comparisons of facts and filters, which can be combined. */
export function ConditionEditor({ step }: { readonly step: Step }) {
  const place = useRef<HTMLElement>(null);
  const root = step.condition.value;
  if (root === undefined) return null;
  const set = (id: number, by: Condition | undefined): void => {
    step.condition.value = replaced(root, id, by) ?? newFact();
    if (by !== undefined) return;
    // What had the focus is gone.
    requestAnimationFrame(() => place.current?.querySelector<HTMLElement>('.condition-add')?.focus());
  };
  const isGroup = root.form === 'all' || root.form === 'any';
  return (
    <section class="condition" ref={place} aria-label={t('Condition')}>
      <ConditionView condition={root} label={t('Condition')} set={set} />
      {isGroup ? null : (
        <div class="row">
          <Button
            size="small"
            icon="plus"
            class="condition-add"
            onClick={() => (step.condition.value = groupOf([root, newFact()]))}
          >
            {t('Add a condition')}
          </Button>
        </div>
      )}
    </section>
  );
}

interface ConditionViewProps {
  readonly condition: Condition;
  /** What it is called for screen readers. */
  readonly label: string;
  /** Replaces a condition; undefined removes it. */
  readonly set: (id: number, by: Condition | undefined) => void;
  readonly removable?: boolean;
}

function ConditionView(props: ConditionViewProps) {
  const { condition, label } = props;
  const isGroup = condition.form === 'all' || condition.form === 'any';
  return (
    <div class={isGroup ? 'condition-group' : 'condition-test'} role="group" aria-label={label}>
      {isGroup ? <Group {...props} /> : <Test {...props} />}
      {condition.faults.value.step.map((detail) => (
        <p class="field-error" key={detail} role="alert">
          <Icon name="circle-alert" size={16} />
          <span class="break">{detail}</span>
        </p>
      ))}
    </div>
  );
}

function Group({ condition, label, set, removable = false }: ConditionViewProps) {
  const { id, parts, form } = condition;
  const add = (part: Condition): void => set(id, { ...condition, parts: [...parts, part] });
  return (
    <>
      <div class="condition-line">
        <Not condition={condition} set={set} />
        <Select
          class="condition-joined"
          aria-label={t('How conditions are combined')}
          value={form}
          options={[
            { value: 'all', label: t('All of these are true') },
            { value: 'any', label: t('One of these is true') },
          ]}
          onValue={(value) => set(id, { ...condition, form: value as 'all' | 'any' })}
        />
        {removable ? <Remove label={label} onClick={() => set(id, undefined)} /> : null}
      </div>
      <div class="condition-parts">
        {parts.map((part, i) => (
          <ConditionView
            key={part.id}
            condition={part}
            label={t('Condition {number}', { number: i + 1 })}
            set={set}
            removable
          />
        ))}
        <div class="row">
          <Button size="small" icon="plus" class="condition-add" onClick={() => add(newFact())}>
            {t('Add a condition')}
          </Button>
          <Button size="small" icon="plus" onClick={() => add(groupOf([newFact()], form === 'all' ? 'any' : 'all'))}>
            {t('Add a group')}
          </Button>
        </div>
      </div>
    </>
  );
}

function Test({ condition, label, set, removable = false }: ConditionViewProps) {
  const { id, read, filter } = condition;
  const change = (by: Condition): void => set(id, { ...by, id, negations: condition.negations });
  if (!isRecord(read) || condition.form === 'other')
    return (
      <div class="condition-line">
        <code class="grow break">{JSON.stringify(read) ?? '…'}</code>
        <Button size="small" onClick={() => set(id, newFact())}>
          {t('Replace')}
        </Button>
        {removable ? <Remove label={label} onClick={() => set(id, undefined)} /> : null}
      </div>
    );
  return (
    <>
      <div class="condition-line">
        <Not condition={condition} set={set} />
        <Subject condition={condition} read={read} onChange={change} />
        {condition.form === 'fact' ? <FactTests condition={condition} read={read} onChange={change} /> : null}
        {removable ? <Remove label={label} onClick={() => set(id, undefined)} /> : null}
      </div>
      {filter === undefined ? null : <ToolForm draft={filter} />}
    </>
  );
}

/** What is asked about: a fact, or whether a filter keeps the file. */
function Subject({
  condition,
  read,
  onChange,
}: {
  readonly condition: Condition;
  readonly read: Readonly<Record<string, unknown>>;
  readonly onChange: (by: Condition) => void;
}) {
  const facts = knownFacts();
  const filters = knownFilters();
  const value = condition.form === 'fact' ? String(read['fact']) : String(read['filter']);
  const options = [
    ...facts.map(({ name, title }) => ({ value: name, label: rt(title) })),
    ...filters.map(({ path, title }) => ({
      value: `${API}${path}`,
      label: t('Filter: {filter}', { filter: rt(title) }),
    })),
  ];
  const isKnown = options.some((option) => option.value === value);
  return (
    <Select
      class="condition-subject"
      aria-label={t('What is asked')}
      data-subject
      value={value}
      options={isKnown ? options : [...options, { value, label: factTitle(value) }]}
      onValue={(next) => {
        const filter = filters.find(({ path }) => `${API}${path}` === next);
        onChange(filter === undefined ? newFact(next) : newFilter(filter));
      }}
    />
  );
}

function Not({ condition, set }: Pick<ConditionViewProps, 'condition' | 'set'>) {
  const { id, negations } = condition;
  return (
    <label class="condition-not">
      <input
        type="checkbox"
        checked={negations % 2 === 1}
        onChange={() => set(id, { ...condition, negations: negations > 0 ? negations - 1 : 1 })}
      />
      {t('Not')}
    </label>
  );
}

function Remove({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return <IconButton size="small" icon="x" label={t('Remove: {what}', { what: label })} onClick={onClick} />;
}

function groupOf(parts: readonly Condition[], form: 'all' | 'any' = 'all'): Condition {
  return { ...readCondition({ [form]: [conditionJson(newFact())] }), parts };
}
