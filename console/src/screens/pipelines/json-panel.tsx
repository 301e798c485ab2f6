import { Button, Notice } from '../../components/index.ts';
import { copy } from '../tool/snippet-panel.tsx';
import { textOf } from './model/definition.ts';
import type { Pipeline } from './model/pipeline.ts';
import { t } from './texts.ts';

/** The definition as calls and files contain it. */
export function JsonPanel({ pipeline }: { readonly pipeline: Pipeline }) {
  const text = textOf(pipeline.json.value);
  const off = pipeline.placed({ all: true }).length - pipeline.placed().length;
  return (
    <div class="stack">
      {off === 0 ? null : (
        <Notice>
          <p>
            {t.count(
              off,
              '{count} step is switched off and not part of this.',
              '{count} steps are switched off and not part of this.',
            )}
          </p>
        </Notice>
      )}
      <CodeBox text={text} label="JSON" />
    </div>
  );
}

/** A text to copy. */
export function CodeBox({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div class="code-box">
      <pre tabIndex={0} aria-label={label}>
        <code>{text}</code>
      </pre>
      <Button size="small" icon="copy" onClick={() => void copy(text)}>
        {t('Copy')}
      </Button>
    </div>
  );
}
