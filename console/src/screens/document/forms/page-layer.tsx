import { type ListedPage, rectFromFrame } from '../../../viewer/index.ts';
import type { FilledForm, Placed } from './filled-form.ts';
import { isOpen, titleOf } from './fields.ts';
import { PageControl } from './page-control.tsx';
import { SignLink } from './sign-link.tsx';
import { t } from './texts.ts';

interface PageLayerProps extends ListedPage {
  readonly form: FilledForm;
  readonly file: File;
}

/** A control at the place of each widget of a page. */
export function PageLayer({ form, file, page, box, scale }: PageLayerProps) {
  return (
    <div class="form-layer">
      {(form.onPages.get(page) ?? []).map((placed) => (
        <Place key={placed.key} form={form} file={file} placed={placed} box={box} scale={scale} />
      ))}
    </div>
  );
}

interface PlaceProps extends Pick<PageLayerProps, 'form' | 'file' | 'box' | 'scale'> {
  readonly placed: Placed;
}

function Place({ form, file, placed, box, scale }: PlaceProps) {
  const { field, widget } = placed;
  const rect = rectFromFrame(box, 'page', {
    left: box.left + widget.x,
    right: box.left + widget.x + widget.width,
    top: box.top - widget.y,
    bottom: box.top - widget.y - widget.height,
  });
  const size = { width: rect.width * scale, height: rect.height * scale };
  // The page turns clockwise, the content of the widget against it.
  const angle = (box.rotation - (widget.rotation ?? 0) + 360) % 360;
  const upright = angle % 180 === 0 ? size : { width: size.height, height: size.width };
  const missing = field.required && form.missing.value.includes(field);
  const current = form.current.value === field.name;
  return (
    <div
      class={`form-place ${missing ? 'missing' : ''} ${current ? 'current' : ''}`}
      style={{ left: px(rect.x * scale), top: px(rect.y * scale), width: px(size.width), height: px(size.height) }}
    >
      <div
        class="form-turn"
        style={{
          width: px(upright.width),
          height: px(upright.height),
          ...(angle === 0 ? {} : { transform: `translate(-50%, -50%) rotate(${angle}deg)` }),
          ...(angle === 0 ? {} : { left: '50%', top: '50%' }),
        }}
      >
        <Content form={form} file={file} placed={placed} scale={scale} />
      </div>
    </div>
  );
}

function Content({ form, file, placed, scale }: Omit<PlaceProps, 'box'>) {
  const { field, widget } = placed;
  if (isOpen(field)) return <PageControl form={form} placed={placed} scale={scale} />;
  if (field.type === 'button')
    return (
      <button
        type="button"
        class="form-fixed"
        disabled
        aria-label={widget.caption ?? titleOf(field)}
        title={t('Buttons of the document do nothing here.')}
      />
    );
  if (field.type === 'signature' && field.signed !== true && !field.readOnly)
    return (
      <SignLink
        file={file}
        label={titleOf(field)}
        form={form}
        placed={placed}
        small={widget.height * scale < 20 || widget.width * scale < 130}
      />
    );
  return <div class="form-fixed" title={whyFixed(field)} />;
}

export function whyFixed({ type, lockedBy }: Placed['field']): string {
  if (type === 'signature') return t('Signed');
  return lockedBy === undefined ? t('Read only') : t('Locked by the signature in “{name}”', { name: lockedBy });
}

function px(value: number): string {
  return `${value}px`;
}
