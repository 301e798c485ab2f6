import { useState } from 'preact/hooks';
import { asProblem, callJson, type Problem } from '../../../api/index.ts';
import { Field, PasswordInput, Select, Switch, TextArea, TextInput, toast } from '../../../components/index.ts';
import { asText, fromText, savedValue } from '../settings/setting-facts.ts';
import type { Settings } from './provider-facts.ts';
import { t } from './texts.ts';

/** Texts that were entered, by key; a key that is missing is as it was saved. */
type Edits = ReadonlyMap<string, string>;

export interface FieldsProps {
  readonly settings: Settings;
  readonly edits: Edits;
  readonly problem: Problem | undefined;
  readonly onText: (key: string, text: string) => void;
}

/** Settings that are edited together, and saved by one call. */
export function useSettingEdits(settings: Settings, onSaved: () => Promise<void>) {
  const [edits, setEdits] = useState<Edits>(new Map());
  const [problem, setProblem] = useState<Problem | undefined>();
  const [busy, setBusy] = useState(false);
  const onText = (key: string, text: string): void => {
    setProblem(undefined);
    setEdits(edited(edits, settings, key, text));
  };
  const write = async (changes: Readonly<Record<string, unknown>>): Promise<void> => {
    await callJson('admin/settings', { method: 'PUT', body: { settings: changes } });
    setEdits(new Map());
    await onSaved();
    toast(t('Saved. It takes effect after a restart.'));
  };
  const save = async (changes: Readonly<Record<string, unknown>>): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    await write(changes).catch((error: unknown) => setProblem(asProblem(error)));
    setBusy(false);
  };
  return {
    fields: { settings, edits, problem, onText } satisfies FieldsProps,
    /** What is entered, or saved. */
    textOf: (key: string): string => edits.get(key) ?? asText(savedValue(settings.get(key)!)),
    values: valuesOf(edits, settings),
    problem,
    setProblem,
    busy,
    write,
    save,
  };
}

interface SettingFieldProps extends FieldsProps {
  readonly name: string;
  readonly label: string;
  readonly help?: string;
  readonly wide?: boolean;
}

/** One setting, with the fault that the server found in it. */
export function SettingField({ settings, edits, problem, onText, name, label, help, wide = false }: SettingFieldProps) {
  const setting = settings.get(name);
  if (setting === undefined) return null;
  const saved = asText(savedValue(setting));
  const text = edits.get(name) ?? saved;
  const locked = setting.environment !== undefined;
  const fault = problem?.faults.find(({ pointer }) => pointer === `/settings/${name}`)?.detail;
  const words = locked ? t('Set by the variable {name}.', { name: setting.environment ?? '' }) : help;
  return (
    <div class={wide ? 'wide' : ''}>
      <Field label={label} error={fault} help={words}>
        {(control) => {
          const common = { control, disabled: locked, spellcheck: false, onText: (next: string) => onText(name, next) };
          if (setting.type === 'boolean')
            return (
              <Switch
                control={control}
                disabled={locked}
                checked={text === 'true'}
                onChecked={(checked) => onText(name, String(checked))}
              />
            );
          if (setting.secret)
            return (
              <PasswordInput
                {...common}
                autocomplete="off"
                placeholder={saved === '' ? '' : t('Unchanged')}
                value={edits.get(name) ?? ''}
              />
            );
          if (setting.allowed !== undefined)
            return (
              <Select
                control={control}
                disabled={locked}
                value={text}
                options={setting.allowed.map((value) => ({ value: String(value), label: String(value) }))}
                onValue={(next) => onText(name, next)}
              />
            );
          if (setting.type === 'strings') return <TextArea {...common} class="code" rows={3} value={text} />;
          return <TextInput {...common} autocomplete="off" value={text} />;
        }}
      </Field>
    </div>
  );
}

/** Entered texts without those that are as they were saved; an empty secret means the saved one. */
function edited(edits: Edits, settings: Settings, key: string, text: string): Edits {
  const next = new Map(edits);
  const setting = settings.get(key);
  const saved = setting === undefined ? '' : setting.secret ? '' : asText(savedValue(setting));
  if (text === saved) next.delete(key);
  else next.set(key, text);
  return next;
}

function valuesOf(edits: Edits, settings: Settings): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    [...edits].flatMap(([key, text]) => {
      const setting = settings.get(key);
      return setting === undefined ? [] : [[key, fromText(setting, text)]];
    }),
  );
}
