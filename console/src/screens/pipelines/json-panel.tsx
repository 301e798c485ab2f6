import { Button } from '../../components/index.ts';
import { copy } from '../tool/snippet-panel.tsx';
import { textOf } from './model/definition.ts';
import type { Pipeline } from './model/pipeline.ts';
import { OffNotice } from './off-notice.tsx';
import { t } from './texts.ts';

/** The definition as calls and files contain it. */
export function JsonPanel({ pipeline }: { readonly pipeline: Pipeline }) {
  const text = textOf(pipeline.json.value);
  return (
    <div class="stack">
      <OffNotice pipeline={pipeline} />
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
