import { useRef, useState } from 'preact/hooks';
import { Button, Dialog, Field, TextArea } from '../../components/index.ts';
import { filesOfTransfer } from '../../files/index.ts';
import { parsePipeline, type PipelineJson } from './model/definition.ts';
import { t } from './texts.ts';

interface ImportDialogProps {
  readonly onClose: () => void;
  readonly onPipeline: (json: PipelineJson) => void;
}

/** Takes a pipeline as JSON: pasted, dropped or chosen as a file. Files of watched folders are the same. */
export function ImportDialog({ onClose, onPipeline }: ImportDialogProps) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string | undefined>();
  const input = useRef<HTMLInputElement>(null);
  const take = (given: string): void => {
    try {
      const json = parsePipeline(given, {
        noList: t('This is not a pipeline: it has no list “pipeline”.'),
        noStep: t('This is not a pipeline: every step must be an object with “operation” and “parameters”.'),
      });
      onClose();
      onPipeline(json);
    } catch (fault) {
      const { message } = fault as Error;
      setError(fault instanceof SyntaxError ? t('This is not JSON: {reason}', { reason: message }) : message);
    }
  };
  const read = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const found = await file.text();
    setText(found);
    take(found);
  };
  return (
    <Dialog
      title={t('Import a pipeline')}
      onClose={onClose}
      actions={
        <>
          <Button icon="folder-open" onClick={() => input.current?.click()}>
            {t('Choose a file')}
          </Button>
          <Button kind="primary" disabled={text.trim() === ''} onClick={() => take(text)}>
            {t('Import')}
          </Button>
        </>
      }
    >
      <div
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          if (event.dataTransfer === null) return;
          event.preventDefault();
          void filesOfTransfer(event.dataTransfer).then(([file]) => read(file));
        }}
      >
        <Field
          label={t('Definition as JSON')}
          help={t('Paste the text, or drop the file here. Files of watched folders work too.')}
          error={error}
        >
          {(control) => (
            <TextArea
              control={control}
              class="code"
              rows={10}
              spellcheck={false}
              placeholder='{"pipeline": [{"operation": "/api/v1/…", "parameters": {}}]}'
              value={text}
              onText={(next) => {
                setText(next);
                setError(undefined);
              }}
            />
          )}
        </Field>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        accept=".json,application/json"
        aria-label={t('Definition as JSON')}
        onChange={(event) => {
          void read(event.currentTarget.files?.[0]);
          event.currentTarget.value = '';
        }}
      />
    </Dialog>
  );
}
