import { fileReturns, kindInfo, type AnyOperation, type ConcreteKind, type FileReturns } from '@quire/registry';

/**
 * The file name of an answer: its template, with `{base}` and `{input}` of the upload, and the header for an upload
 * called `document`.
 */
export interface AnswerName {
  readonly template: string;
  readonly header: string;
}

/**
 * Returns the names of an operation's files as templates; `{input}` is the whole name of the upload, `{base}` the name
 * without its extension.
 */
export function answerNames(operation: AnyOperation): AnswerName[] {
  const returns = fileReturns(operation);
  if (returns === undefined) return [];
  const { many } = returns;
  const archive = many === undefined ? [] : [`${many.archive}.zip`];
  const alwaysZip = many !== undefined && many.when === undefined && many.single !== 'file';
  const [first] = operation.accepts;
  const extension = first === undefined || first === 'any' ? 'pdf' : (kindInfo(first).extensions[0] ?? 'pdf');
  // Numbered files are in a zip.
  const files = alwaysZip ? [] : fileTemplates(returns).filter((name) => many === undefined || !name.includes('{n}'));
  return [...new Set([...files, ...archive])].map((template) => {
    const name = template
      .replaceAll('{base}', 'document')
      .replaceAll('{input}', `document.${extension}`)
      .replaceAll('{n}', '1')
      .replaceAll('{extension}', extension);
    return { template, header: `attachment; filename="${name}"; filename*=UTF-8''${name}` };
  });
}

function fileTemplates(returns: FileReturns<never>): string[] {
  const names = [returns.name, ...(returns.nameWhen === undefined ? [] : [returns.nameWhen.name])];
  const { kind } = returns;
  // A file that is passed on keeps its extension.
  if (kind === 'same' || kind === 'any')
    return names.map((name) => (name === '{base}' ? '{input}' : `${name}.{extension}`));
  if (typeof kind === 'string') return names.map((name) => `${name}.${extensionOf(returns, kind)}`);
  return names.flatMap((name) =>
    Object.entries(kind.map).map(([value, one]) =>
      `${name}.${extensionOf(returns, one)}`
        .replaceAll(`{${kind.by}}`, value)
        .replace(/\.\w+$/, (end) => end.toLowerCase()),
    ),
  );
}

function extensionOf({ extension }: FileReturns<never>, kind: ConcreteKind): string {
  return extension ?? kindInfo(kind).extensions[0] ?? 'bin';
}
