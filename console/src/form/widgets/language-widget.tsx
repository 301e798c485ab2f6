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
    void installed.then((names) => {
      setKnown(names);
      const own = names.find((code) => isSpoken(code, language.peek()));
      if (field.required && own !== undefined && (value as readonly string[]).length === 0) onValue([own]);
    });
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

/** Whether a language of Tesseract is the one of the page: `deu` is `de`. */
function isSpoken(code: string, page: string): boolean {
  const [base = code] = code.split('_');
  try {
    return new Intl.Locale(codes[base] ?? base).language === page;
  } catch {
    return false;
  }
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
