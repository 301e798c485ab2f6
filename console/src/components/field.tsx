import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { t } from '../i18n/frame.ts';
import { Icon } from './icon.tsx';

/** What the control of a field needs so that label, help and error belong to it. */
export interface ControlProps {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': 'true' | undefined;
  readonly 'aria-required': 'true' | undefined;
}

export interface FieldProps {
  readonly label: string;
  readonly help?: string | undefined;
  readonly error?: string | undefined;
  readonly required?: boolean;
  /** Beside the label: a unit, a button. */
  readonly aside?: ComponentChildren;
  /** The control is a group of several; the label names the group. */
  readonly group?: boolean;
  readonly children: (control: ControlProps) => ComponentChildren;
}

/** A label, a control, its help and its error. */
export function Field({ label, help, error, required = false, aside, group = false, children }: FieldProps) {
  const id = useId();
  const described = [help === undefined ? '' : `${id}h`, error === undefined ? '' : `${id}e`].join(' ').trim();
  const control: ControlProps = {
    id,
    'aria-describedby': described === '' ? undefined : described,
    'aria-invalid': error === undefined ? undefined : 'true',
    'aria-required': required && !group ? 'true' : undefined,
  };
  const name = (
    <>
      {label}
      {required ? (
        <span class="required" title={t('Required')}>
          <span aria-hidden="true">*</span>
          <span class="hidden-visually">{t('Required')}</span>
        </span>
      ) : null}
    </>
  );
  return (
    <div
      class={`field ${error === undefined ? '' : 'wrong'}`}
      {...(group
        ? { role: 'group', 'aria-labelledby': `${id}l`, 'aria-describedby': control['aria-describedby'] }
        : {})}
    >
      <div class="field-head">
        {group ? (
          <span class="label" id={`${id}l`}>
            {name}
          </span>
        ) : (
          <label class="label" for={id} id={`${id}l`}>
            {name}
          </label>
        )}
        {aside}
      </div>
      {children(control)}
      {error === undefined ? null : (
        <p class="field-error" id={`${id}e`}>
          <Icon name="circle-alert" size={16} />
          <span>{error}</span>
        </p>
      )}
      {help === undefined ? null : (
        <p class="help" id={`${id}h`}>
          {help}
        </p>
      )}
    </div>
  );
}
