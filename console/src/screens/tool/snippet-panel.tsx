import { useState } from 'preact/hooks';
import { Button, Tabs, toast } from '../../components/index.ts';
import type { Draft } from './draft.ts';
import { snippetsOf } from './snippets.ts';
import { t } from './texts.ts';

/** The same call for a shell, a program, or a pipeline. */
export function SnippetPanel({ draft }: { readonly draft: Draft }) {
  const [chosen, setChosen] = useState('curl');
  return (
    <Tabs
      label={t('Languages')}
      chosen={chosen}
      onChoose={setChosen}
      tabs={snippetsOf(draft).map(({ id, label, text }) => ({
        id,
        label: id === 'step' ? t('Pipeline step') : label,
        content: () => (
          <div class="snippet">
            <pre tabIndex={0} aria-label={label}>
              <code>{text}</code>
            </pre>
            <Button size="small" icon="copy" onClick={() => void copy(text)}>
              {t('Copy')}
            </Button>
          </div>
        ),
      }))}
    />
  );
}

/** The clipboard needs a secure page; else the text is selected by hand. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(t('Copied'));
  } catch {
    toast(t('The browser does not allow copying here. Select the text and copy it.'), 'error');
  }
}
