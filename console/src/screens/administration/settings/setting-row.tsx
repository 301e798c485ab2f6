import {
  Field,
  IconButton,
  PasswordInput,
  Select,
  Switch,
  TextArea,
  TextInput,
  type ControlProps,
} from '../../../components/index.ts';
import { t } from '../texts.ts';
import { asText, savedValue, type Setting } from './setting-facts.ts';

interface SettingRowProps {
  readonly setting: Setting;
  /** What was entered; undefined while it is unchanged. */
  readonly text: string | undefined;
  readonly fault: string | undefined;
  readonly onText: (text: string | undefined) => void;
}

/** One setting: its name and meaning, its value, where that comes from, and the way back to the default. */
export function SettingRow({ setting, text, fault, onText }: SettingRowProps) {
  const { key, meaning, acts, instead, fileOnly, environment } = setting;
  const locked = fileOnly || environment !== undefined;
  return (
    <div class={`setting ${text === undefined ? '' : 'changed'}`}>
      <div>
        <p class="setting-name">{key}</p>
        <p class="help">{meaning}</p>
        <p class="soft small break">
          {[originWords(setting), defaultWords(setting), ...(acts ? [] : [t('Accepted, but without effect')])].join(
            ' · ',
          )}
        </p>
        {instead === undefined ? null : <p class="small">{instead}</p>}
        {'pending' in setting ? (
          <p class="small">
            {t('After a restart: {value}', {
              value: setting.secret ? '••••••••' : asText(setting.pending) || t('(empty)'),
            })}
          </p>
        ) : null}
      </div>
      <div>
        {locked ? (
          <p class="soft small break">
            <code>{setting.secret ? '••••••••' : asText(setting.value) || t('(empty)')}</code>{' '}
            {environment === undefined
              ? t('Can be changed in the settings file only.')
              : t('Set by the variable {name}.', { name: environment })}
          </p>
        ) : (
          <Field label={t('Value')} error={fault} aside={<Reset setting={setting} text={text} onText={onText} />}>
            {(control) => <Editor setting={setting} control={control} text={text} onText={onText} />}
          </Field>
        )}
      </div>
    </div>
  );
}

function originWords({ origin }: Setting): string {
  return origin === 'shipped' ? t('Default') : t('From {origin}', { origin });
}

function defaultWords(setting: Setting): string {
  const value = asText(setting.default);
  return t('Default: {value}', { value: value === '' ? t('(empty)') : value });
}

/** Back to what is saved, or to the default. */
function Reset({ setting, text, onText }: Omit<SettingRowProps, 'fault'>) {
  if (text !== undefined)
    return (
      <IconButton
        size="small"
        icon="undo-2"
        label={t('Undo: {key}', { key: setting.key })}
        onClick={() => onText(undefined)}
      />
    );
  if (setting.origin === 'shipped' || setting.secret) return null;
  return (
    <IconButton
      size="small"
      icon="rotate-ccw"
      label={t('Back to the default: {key}', { key: setting.key })}
      onClick={() => onText(asText(setting.default))}
    />
  );
}

interface EditorProps {
  readonly setting: Setting;
  readonly control: ControlProps;
  readonly text: string | undefined;
  readonly onText: (text: string | undefined) => void;
}

function Editor({ setting, control, text, onText }: EditorProps) {
  const saved = asText(savedValue(setting));
  const value = text ?? saved;
  const set = (next: string): void => onText(next === saved ? undefined : next);
  const { type, allowed, nullable, secret } = setting;
  if (type === 'boolean' && !nullable)
    return <Switch control={control} checked={value === 'true'} onChecked={(checked) => set(String(checked))} />;
  if (allowed !== undefined || type === 'boolean') {
    const values = type === 'boolean' ? ['true', 'false'] : (allowed ?? []).map(String);
    if (type !== 'strings' && type !== 'integers')
      return (
        <Select
          control={control}
          value={value}
          onValue={set}
          options={[
            ...(nullable || !values.includes(value) ? [{ value: '', label: t('(empty)') }] : []),
            ...values.map((each) => ({ value: each, label: each })),
          ]}
        />
      );
  }
  // A secret that is set is shown as its mask; what is typed replaces it.
  if (secret)
    return (
      <PasswordInput
        control={control}
        autocomplete="off"
        placeholder={saved === '' ? '' : t('Unchanged')}
        value={text ?? ''}
        onText={(next) => onText(next === '' ? undefined : next)}
      />
    );
  if (type === 'string' || type === 'integer')
    return (
      <TextInput
        control={control}
        inputMode={type === 'integer' ? 'numeric' : 'text'}
        spellcheck={false}
        value={value}
        onText={set}
      />
    );
  return <TextArea control={control} class="code" spellcheck={false} rows={3} value={value} onText={set} />;
}
