// Finds the texts of the console in its sources. `node --import tsx console/build/find-texts.ts` writes the
// catalogues of all languages: the used texts with the translations that there are. It lists what is not translated.
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const source = join(import.meta.dirname, '..', 'src');
/** The languages beside English. */
export const OTHERS = ['de', 'fr', 'es', 'pt', 'it', 'zh', 'ja', 'ar'] as const;

export type Text = string | Readonly<Record<string, string>>;
type Texts = ReadonlyMap<string, Text>;

/** The frame, the shared components and the rest. */
const FRAME = 'i18n';
const LITERAL = String.raw`'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"`;

/** Folders with texts of their own, relative to `console/src`, and the frame, to which all others belong. */
export function areas(): string[] {
  return [
    ...globSync('**/texts.ts', { cwd: source, exclude: ['i18n/**'] }).map((file) =>
      dirname(file).replaceAll('\\', '/'),
    ),
    FRAME,
  ].sort();
}

/**
 * The texts of each area, with the English forms of counted texts. Texts that several areas use belong to the frame, so
 * that they are translated once.
 */
export function usedTexts(): ReadonlyMap<string, Texts> {
  const used = new Map(areas().map((area) => [area, new Map<string, Text>()]));
  const frame = used.get(FRAME)!;
  for (const path of globSync('**/*.{ts,tsx}', { cwd: source })) {
    const file = path.replaceAll('\\', '/');
    // The innermost one: areas are sorted.
    const area = [...used.keys()].findLast((each) => file.startsWith(`${each}/`)) ?? FRAME;
    const code = readFileSync(join(source, file), 'utf8').replaceAll(/\/\*\*[\s\S]*?\*\/|(?<![:'"`])\/\/[^\n]*/g, '');
    collect(code, used.get(area)!);
  }
  for (const title of declaredTexts()) add(frame, title);
  const users = new Map<string, number>();
  for (const texts of used.values()) for (const key of texts.keys()) users.set(key, (users.get(key) ?? 0) + 1);
  for (const [area, texts] of used)
    for (const [key, text] of texts) {
      if (area === FRAME || (users.get(key) === 1 && !frame.has(key))) continue;
      frame.set(key, text);
      texts.delete(key);
    }
  return used;
}

/** The plain texts of a module: the English words of `t('…')`. */
export function textsIn(code: string): string[] {
  const found = new Map<string, Text>();
  collect(code, found);
  return [...found.keys()];
}

function collect(code: string, found: Map<string, Text>): void {
  const call = new RegExp(String.raw`(?<![\w.])t\(\s*(?:${LITERAL})`, 'g');
  for (const [, single, double] of code.matchAll(call)) add(found, unquote(single ?? double ?? ''));
  const counted = new RegExp(String.raw`(?<![\w.])t\.count\(\s*[^'"]*?,\s*(?:${LITERAL}),\s*(?:${LITERAL})`, 'g');
  for (const [, a, b, c, d] of code.matchAll(counted)) {
    const other = unquote(c ?? d ?? '');
    found.set(other, { one: unquote(a ?? b ?? ''), other });
  }
  // Texts in tables, marked for translation: `/* t */ 'Light'`.
  for (const [, single, double] of code.matchAll(new RegExp(String.raw`/\* t \*/\s*(?:${LITERAL})`, 'g')))
    add(found, unquote(single ?? double ?? ''));
}

function add(found: Map<string, Text>, text: string): void {
  if (!found.has(text)) found.set(text, text);
}

/** Titles of screens, and why one is not shown. */
function declaredTexts(): string[] {
  const code = readFileSync(join(source, 'app', 'screens.ts'), 'utf8');
  const declared = new RegExp(String.raw`\btitle:\s*(?:${LITERAL})`, 'g');
  return [...code.matchAll(declared)].map(([, single, double]) => unquote(single ?? double ?? ''));
}

function unquote(text: string): string {
  return text.replaceAll(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));
}

/** The catalogue of an area in a language; empty if there is none. */
export function catalogueOf(area: string, language: string): Record<string, Text> {
  const path = catalogue(area, language);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, Text>) : {};
}

function catalogue(area: string, language: string): string {
  return join(source, area, 'texts', `${language}.json`);
}

/** Sets no-break spaces where French has a space before or after punctuation. Other languages stay as they are. */
export function typeset<T extends Text>(language: string, text: T): T {
  if (language !== 'fr') return text;
  const set = (form: string): string => form.replaceAll(/ (?=[:;!?»])/g, '\u00A0').replaceAll('« ', '«\u00A0');
  return (
    typeof text === 'string'
      ? set(text)
      : Object.fromEntries(Object.entries(text).map(([rule, form]) => [rule, set(form)]))
  ) as T;
}

/** Writes the catalogues: used texts only, sorted, with the translations that any area has. */
function writeCatalogues(): void {
  for (const language of ['en', ...OTHERS]) {
    const known = Object.assign({}, ...areas().map((area) => catalogueOf(area, language))) as Record<string, Text>;
    for (const [area, texts] of usedTexts()) {
      const keys = [...texts.keys()].sort();
      const lacking = keys.filter((key) => language !== 'en' && !(key in known));
      for (const key of lacking) console.log(`${area} ${language} lacks ${JSON.stringify(texts.get(key))}`);
      const entries = keys
        .filter((key) => !lacking.includes(key))
        .map((key) => [key, language === 'en' ? texts.get(key) : typeset(language, known[key]!)] as const);
      mkdirSync(dirname(catalogue(area, language)), { recursive: true });
      writeFileSync(catalogue(area, language), `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`);
    }
  }
}

if (process.argv[1] === import.meta.filename) writeCatalogues();
