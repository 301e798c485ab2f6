import { useEffect, useId, useState } from 'preact/hooks';
import { Field, TextInput } from '../../components/index.ts';
import { t } from '../texts.ts';
import type { PadProps } from './pad-props.ts';
import { addScripts, type Script, scripts, writtenToPng } from './written.ts';

/** Writes a name in a handwriting font. */
export function TypePad({ colour, onPng, name }: PadProps & { readonly name: string }) {
  const [text, setText] = useState(name);
  const [script, setScript] = useState<Script>(scripts[0]);
  const group = useId();
  useEffect(addScripts, []);
  useEffect(() => {
    let left = false;
    void writtenToPng(text, script, colour).then((png) => left || onPng(png));
    return () => void (left = true);
  }, [text, script, colour]);
  return (
    <div class="stack">
      <Field label={t('Your name')}>
        {(control) => <TextInput control={control} value={text} onText={setText} autocomplete="name" dir="auto" />}
      </Field>
      <div class="scripts" role="radiogroup" aria-label={t('Handwriting')}>
        {scripts.map((each, i) => (
          <label key={each} class="script">
            <input
              type="radio"
              name={group}
              checked={each === script}
              aria-label={t('Handwriting {number}', { number: i + 1 })}
              onChange={() => setScript(each)}
            />
            <span dir="auto" style={{ fontFamily: `"${each}", cursive, sans-serif`, color: colour }}>
              {text.trim() === '' ? t('Your name') : text}
            </span>
          </label>
        ))}
      </div>
    </div>
  );
}
