/** Words that cannot be names (Python 3.10, 2.3.1), in lower case where an option could have them. */
export const KEYWORDS = new Set(
  (
    'and as assert async await break class continue def del elif else except finally for from global if import in is ' +
    'lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

/** Returns a name in snake case: `rotatePdf` → `rotate_pdf`, `pdfToPDFA` → `pdf_to_pdfa`. */
export function snakeCase(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();
}

/** Returns the name of an argument: in snake case, with `_` after a word of the language. */
export function argumentName(name: string): string {
  const snake = snakeCase(name);
  return KEYWORDS.has(snake) ? `${snake}_` : snake;
}

/** Returns a text as a Python literal. */
export function pythonString(text: string): string {
  return JSON.stringify(text);
}
