import { Field } from '../../../components/index.ts';
import { formatBytes } from '../../../i18n/index.ts';
import type { Path } from '../data/places.ts';
import { attachable } from './attachable.ts';
import { draft } from './draft.ts';
import { FileChooser } from './file-chooser.tsx';

const parts = ['content', 'mimeCode', 'filename'] as const;

/** A file that the invoice holds: its content, type and name. */
export function AttachmentField({ path, label }: { readonly path: Path; readonly label: string }) {
  const textAt = (part: string): string => draft.texts.value[`${path}.${part}`] ?? '';
  const faults = draft.faults.value;
  const place = [path, ...parts.map((part) => `${path}.${part}`)].find((each) => faults[each] !== undefined);
  const enter = (content: string, mimeCode: string, filename: string): void =>
    draft.enter({ [`${path}.content`]: content, [`${path}.mimeCode`]: mimeCode, [`${path}.filename`]: filename });
  const take = async (file: File): Promise<void> => {
    const end = /\.[^.]+$/.exec(file.name)?.[0].toLowerCase() ?? '';
    enter(await base64Of(file), attachable[end] ?? file.type, file.name);
  };
  const content = textAt('content');
  // Three bytes in four characters.
  const size = formatBytes(Math.floor((content.replace(/=+$/, '').length * 3) / 4));
  return (
    <Field label={label} error={place === undefined ? undefined : faults[place]} group>
      {(control) => (
        <FileChooser
          label={label}
          control={control}
          accept={Object.keys(attachable)}
          chosen={content === '' ? undefined : { name: textAt('filename'), note: size }}
          onFile={(file) => (file === undefined ? enter('', '', '') : void take(file))}
        />
      )}
    </Field>
  );
}

/** The bytes of a file in base64. */
function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error ?? new Error(file.name));
    reader.readAsDataURL(file);
  });
}
