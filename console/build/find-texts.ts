// Finds the texts of the console in its sources. `node --import tsx console/build/find-texts.ts` writes the English
// catalogues and lists what the other languages lack or no longer need.
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const source = join(import.meta.dirname, '..', 'src');
/** The languages beside English. */
const OTHERS = ['de', 'fr', 'es', 'pt', 'it', 'zh', 'ja', 'ar'] as const;

type Text = string | Readonly<Record<string, string>>;
type Texts = ReadonlyMap<string, Text>;

/** The frame, the shared components and the rest. */
const FRAME = 'i18n';
const LITERAL = String.raw`'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"`;

/** Folders with texts of their own, relative to `console/src`; the frame's texts are those of all other folders. */
export function areas(): string[] {
  return [
    ...globSync('screens/*/texts.ts', { cwd: source }).map((file) => dirname(file).replaceAll('\\', '/')),
    FRAME,
  ].sort();
}

/** The texts that the sources of an area use, with the English forms of counted texts. */
function usedTexts(area: string): Texts {
  const screens = areas().filter((each) => each !== FRAME);
  const found = new Map<string, Text>();
  for (const path of globSync('**/*.{ts,tsx}', { cwd: source })) {
    const file = path.replaceAll('\\', '/');
    const screen = screens.find((each) => file.startsWith(`${each}/`));
    const code = readFileSync(join(source, file), 'utf8').replaceAll(/\/\*\*[\s\S]*?\*\/|(?<![:'"`])\/\/[^\n]*/g, '');
    if (area === (screen ?? FRAME)) collect(code, found);
  }
  if (area === FRAME) for (const title of declaredTexts()) add(found, title);
  else for (const text of usedTexts(FRAME).keys()) found.delete(text);
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
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
function catalogueOf(area: string, language: string): Record<string, Text> {
  const path = catalogue(area, language);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, Text>) : {};
}

/** What a language lacks, and what it has without use. */
export function compareTexts(area: string, language: string): { missing: string[]; unknown: string[] } {
  const used = usedTexts(area);
  const have = catalogueOf(area, language);
  return {
    missing: [...used.keys()].filter((key) => !(key in have)),
    unknown: Object.keys(have).filter((key) => !used.has(key)),
  };
}

function catalogue(area: string, language: string): string {
  return join(source, area, 'texts', `${language}.json`);
}

if (process.argv[1] === import.meta.filename) {
  for (const area of areas()) {
    const path = catalogue(area, 'en');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify(Object.fromEntries(usedTexts(area)), undefined, 2)}\n`);
    const lacking = new Map<string, string[]>();
    for (const language of OTHERS) {
      const { missing, unknown } = compareTexts(area, language);
      for (const key of missing) lacking.set(key, [...(lacking.get(key) ?? []), language]);
      if (unknown.length > 0) console.log(`${area} ${language} no longer needs: ${JSON.stringify(unknown)}`);
    }
    for (const [key, languages] of lacking)
      console.log(`${area} lacks ${JSON.stringify(key)} in ${languages.join(', ')}`);
  }
}
