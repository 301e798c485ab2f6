import { useId } from 'preact/hooks';
import { labelOfChoice, lengthOf, titleOf, valueOfButton } from './fields.ts';
import type { FilledForm, Placed } from './filled-form.ts';
import { ChoiceOptions, editableValue, SuggestedChoices } from './choice-options.tsx';
import { t } from './texts.ts';
import { LIST_SIZE, sizeOfLine, sizeOfParagraphs, TEXT_MARGIN } from './text-size.ts';
import { typing } from './typing.ts';
import { useWanted } from './use-wanted.ts';

interface PageControlProps {
  readonly form: FilledForm;
  readonly placed: Placed;
  /** CSS pixels per point. */
  readonly scale: number;
}

/** The control of a field at the place of a widget. */
export function PageControl(props: PageControlProps) {
  switch (props.placed.field.type) {
    case 'checkbox':
    case 'radio':
      return <ButtonControl {...props} />;
    case 'listbox':
      return <ListControl {...props} />;
    case 'combobox':
      return props.placed.field.editable ? <EditableControl {...props} /> : <SelectControl {...props} />;
    default:
      return <TextControl {...props} />;
  }
}

/** What all controls have: name, state, focus. */
function useControl<T extends HTMLElement>({ form, placed }: PageControlProps) {
  const { field } = placed;
  const focus = useWanted<T>(form, placed);
  const fault = form.faults.value.get(field.name);
  return {
    ...focus,
    'aria-label': titleOf(field),
    'aria-invalid': fault === undefined ? undefined : ('true' as const),
    'aria-description': fault,
    title: fault ?? field.tooltip ?? titleOf(field),
  };
}

function TextControl(props: PageControlProps) {
  const { form, placed, scale } = props;
  const { field, widget } = placed;
  const control = useControl<HTMLInputElement & HTMLTextAreaElement>(props);
  const value = String(form.value(field.name));
  const cells = field.comb ? field.maxLength : undefined;
  const common = {
    ...control,
    'aria-required': field.required ? ('true' as const) : undefined,
    value,
    dir: 'auto' as const,
    spellcheck: false,
    autocomplete: 'off',
    ...typing(form, field),
  };
  const size = (widget.fontSize ?? autoSize(placed, value, cells)) * scale;
  const style = { fontSize: `${size}px`, textAlign: widget.alignment ?? 'left' };
  if (field.multiline)
    return (
      <textarea
        {...(common as object)}
        class="form-control multiline"
        style={{ ...style, paddingInline: `${TEXT_MARGIN * scale}px` }}
        value={value}
      />
    );
  if (cells !== undefined) {
    const cell = (uprightSize(placed).width * scale) / cells;
    const free = Math.max(0, cells - lengthOf(value));
    const before = { left: 0, center: Math.floor(free / 2), right: free }[widget.alignment ?? 'left'];
    return (
      <div class="form-comb" style={{ '--cell': `${cell}px`, '--before': before }}>
        <input {...(common as object)} type="text" class="form-control" style={{ fontSize: style.fontSize }} />
      </div>
    );
  }
  const input = {
    ...common,
    type: field.password ? 'password' : 'text',
    style: { ...style, paddingInline: `${TEXT_MARGIN * scale}px` },
  };
  return <input {...(input as object)} class="form-control" />;
}

/** The size of a widget as its text runs, in points. */
function uprightSize({ widget: { width, height, rotation = 0 } }: Placed): { width: number; height: number } {
  return rotation % 180 === 0 ? { width, height } : { width: height, height: width };
}

function autoSize(placed: Placed, text: string, cells?: number): number {
  const room = uprightSize(placed);
  return placed.field.multiline ? sizeOfParagraphs(text, room) : sizeOfLine(text, room, cells);
}

function ButtonControl(props: PageControlProps) {
  const { form, placed } = props;
  const { field, widget } = placed;
  const control = useControl<HTMLInputElement>(props);
  const id = useId();
  const own = valueOfButton(widget);
  const radio = field.type === 'radio';
  const several = (field.widgets ?? []).some((other) => valueOfButton(other) !== own);
  return (
    <input
      {...control}
      type={radio ? 'radio' : 'checkbox'}
      name={radio ? `page-${field.name}` : id}
      class={`form-control ${radio ? 'form-radio' : 'form-check'}`}
      aria-label={several ? t('{label}: {choice}', { label: titleOf(field), choice: own }) : titleOf(field)}
      aria-required={field.required && !radio ? 'true' : undefined}
      checked={form.value(field.name) === own}
      onChange={(event) => form.set(field.name, radio || event.currentTarget.checked ? own : '')}
    />
  );
}

function SelectControl(props: PageControlProps) {
  const { form, placed, scale } = props;
  const { field, widget } = placed;
  const control = useControl<HTMLSelectElement>(props);
  const value = String(form.value(field.name));
  const size = widget.fontSize ?? autoSize(placed, labelOfChoice(field, value));
  return (
    <select
      {...control}
      class="form-control form-select"
      style={{ fontSize: `${size * scale}px`, paddingInlineStart: `${TEXT_MARGIN * scale}px` }}
      aria-required={field.required ? 'true' : undefined}
      value={value}
      onChange={(event) => form.set(field.name, event.currentTarget.value)}
    >
      <ChoiceOptions field={field} value={value} blank />
    </select>
  );
}

function EditableControl(props: PageControlProps) {
  const { form, placed, scale } = props;
  const { field, widget } = placed;
  const control = useControl<HTMLInputElement>(props);
  const id = useId();
  const text = labelOfChoice(field, String(form.value(field.name)));
  const size = widget.fontSize ?? autoSize(placed, text);
  return (
    <>
      <input
        {...control}
        type="text"
        list={id}
        class="form-control"
        dir="auto"
        autocomplete="off"
        style={{
          fontSize: `${size * scale}px`,
          textAlign: widget.alignment ?? 'left',
          paddingInlineStart: `${TEXT_MARGIN * scale}px`,
        }}
        aria-required={field.required ? 'true' : undefined}
        value={text}
        onInput={(event) => form.set(field.name, editableValue(field, event.currentTarget.value))}
      />
      <SuggestedChoices id={id} field={field} />
    </>
  );
}

function ListControl(props: PageControlProps) {
  const { form, placed, scale } = props;
  const { field, widget } = placed;
  const control = useControl<HTMLSelectElement>(props);
  const value = form.value(field.name);
  const size = widget.fontSize ?? LIST_SIZE;
  return (
    <select
      {...control}
      multiple={field.multiSelect}
      size={Math.max(2, Math.floor(uprightSize(placed).height / (size * 1.15)))}
      class="form-control form-list"
      style={{ fontSize: `${size * scale}px` }}
      aria-required={field.required ? 'true' : undefined}
      onChange={({ currentTarget }) =>
        form.set(
          field.name,
          field.multiSelect ? [...currentTarget.selectedOptions].map((option) => option.value) : currentTarget.value,
        )
      }
    >
      <ChoiceOptions field={field} value={value} />
    </select>
  );
}
