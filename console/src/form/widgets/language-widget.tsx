import { useEffect, useState } from 'preact/hooks';
import { callJson } from '../../api/index.ts';
import { language, rt } from '../../i18n/index.ts';
import { t } from '../texts.ts';
import { ListWidget } from './list-widgets.tsx';
import type { WidgetProps } from './widget.ts';

let installed: Promise<readonly string[]> | undefined;

/** The languages that the server can recognise, as checkboxes; typed names while they are not known. */
export function LanguageWidget(props: WidgetProps) {
  const { field, value, onValue, control } = props;
  const [known, setKnown] = useState<readonly string[]>([]);
  useEffect(() => {
    installed ??= callJson<{ languages: readonly string[] }>('ui-data/ocr-pdf', { login: 'quiet' }).then(
      ({ languages }) => languages,
      () => [],
    );
    void installed.then(setKnown);
  }, []);
  const chosen = value as readonly string[];
  if (known.length === 0) return <ListWidget {...props} />;
  const offered = [...new Set([...known, ...chosen])];
  return (
    <div class="choices" role="group" aria-label={rt(field.label)} id={control.id}>
      {offered.map((code) => (
        <label class="check" key={code}>
          <input
            type="checkbox"
            checked={chosen.includes(code)}
            onChange={(event) =>
              onValue(event.currentTarget.checked ? [...chosen, code] : chosen.filter((each) => each !== code))
            }
          />
          <span>{nameOf(code)}</span>
          {known.includes(code) ? null : <span class="soft small">{t('not installed')}</span>}
        </label>
      ))}
    </div>
  );
}

/** `deu` and `chi_sim` by their names; Tesseract's codes are those of ISO 639-2 for most languages. */
function nameOf(code: string): string {
  const [base = code, script] = code.split('_');
  try {
    const name = new Intl.DisplayNames(language.value, { type: 'language' }).of(codes[base] ?? base) ?? code;
    return script === undefined ? name : `${name} (${script})`;
  } catch {
    return code;
  }
}

/** Codes of Tesseract that Intl knows by another name. */
const codes: Readonly<Record<string, string>> = { chi: 'zh', fre: 'fr', ger: 'de', frk: 'de', dan: 'da' };
