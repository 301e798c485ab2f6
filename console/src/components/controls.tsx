import type { AllHTMLAttributes } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../i18n/frame.ts';
import { IconButton } from './button.tsx';
import type { ControlProps } from './field.tsx';

export interface TextInputProps extends Omit<AllHTMLAttributes<HTMLInputElement>, 'value' | 'onInput'> {
  readonly value: string;
  readonly onText: (text: string) => void;
  readonly control?: ControlProps;
}

export function TextInput({ value, onText, control, class: extra = '', ...rest }: TextInputProps) {
  return (
    <input
      type="text"
      {...(rest as object)}
      {...control}
      class={`input ${String(extra)}`}
      value={value}
      onInput={(event) => onText(event.currentTarget.value)}
    />
  );
}

/** A password with a button that shows it. */
export function PasswordInput({ value, onText, control, ...rest }: TextInputProps) {
  const [shown, setShown] = useState(false);
  return (
    <div class="joined">
      <TextInput
        autocomplete="current-password"
        {...rest}
        {...(control === undefined ? {} : { control })}
        type={shown ? 'text' : 'password'}
        value={value}
        onText={onText}
        spellcheck={false}
      />
      <IconButton
        icon={shown ? 'eye-off' : 'eye'}
        label={shown ? t('Hide password') : t('Show password')}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
      />
    </div>
  );
}

export interface TextAreaProps extends Omit<AllHTMLAttributes<HTMLTextAreaElement>, 'value' | 'onInput'> {
  readonly value: string;
  readonly onText: (text: string) => void;
  readonly control?: ControlProps;
}

export function TextArea({ value, onText, control, class: extra = '', ...rest }: TextAreaProps) {
  return (
    <textarea
      rows={3}
      {...(rest as object)}
      {...control}
      class={`input ${String(extra)}`}
      value={value}
      onInput={(event) => onText(event.currentTarget.value)}
    />
  );
}

export interface Option {
  readonly value: string;
  readonly label: string;
}

export interface SelectProps extends Omit<AllHTMLAttributes<HTMLSelectElement>, 'value' | 'onChange'> {
  readonly value: string;
  readonly options: readonly Option[];
  readonly onValue: (value: string) => void;
  readonly control?: ControlProps;
}

/** The platform's own list of choices. */
export function Select({ value, options, onValue, control, class: extra = '', ...rest }: SelectProps) {
  return (
    <select
      {...(rest as object)}
      {...control}
      class={`input select ${String(extra)}`}
      value={value}
      onChange={(event) => onValue(event.currentTarget.value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

interface SwitchProps {
  readonly checked: boolean;
  readonly onChecked: (checked: boolean) => void;
  readonly control?: ControlProps;
  readonly label?: string;
  readonly disabled?: boolean;
}

export function Switch({ checked, onChecked, control, label, disabled = false }: SwitchProps) {
  const { 'aria-required': _, ...rest } = control ?? {};
  return (
    <input
      type="checkbox"
      role="switch"
      class="switch"
      {...rest}
      aria-label={label}
      disabled={disabled}
      checked={checked}
      onChange={(event) => onChecked(event.currentTarget.checked)}
    />
  );
}

interface SegmentsProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onValue: (value: string) => void;
}

let groups = 0;

/** A few choices beside each other: radio buttons. */
export function Segments({ label, value, options, onValue }: SegmentsProps) {
  const [name] = useState(() => `segments${++groups}`);
  return (
    <div class="segments" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onValue(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </div>
  );
}
