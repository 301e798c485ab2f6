import postcss, { type AtRule, type ChildNode, type CssSyntaxError, type Declaration, type Root } from 'postcss';
import { mapStyleAddresses } from './pages/style-addresses.js';

/** How style is cleaned. */
export interface StyleRules {
  /** Returns the replacement of a `url()` reference; undefined drops the declaration. By default all are dropped. */
  readonly url?: (reference: string) => string | undefined;
  /** Selector of the element that replaces the body; the scope itself by default. */
  readonly body?: string;
  /** True takes boxes out of absolute places too; fixed ones, which would be on every page, always lose theirs. */
  readonly flowOnly?: boolean;
}

/** Style that is longer than this is left out: no page needs it, and reading it takes time. */
const MAX_LENGTH = 2 * 1024 * 1024;
const REPAIR_ATTEMPTS = 20;
/** Fonts and backgrounds name a few files each. */
const MOST_REFERENCES = 100;

/** Properties that run something. */
const running: ReadonlySet<string> = new Set(['behavior', '-ms-behavior', '-moz-binding']);
/** Text may be written with escapes, which elsewhere hide names of functions. */
const textual = new Set(['content', 'quotes', 'font-family', 'font', 'list-style-type', 'list-style']);

/**
 * Cleans a style sheet and scopes it to the element that `scope` selects, which replaces `html` and `body` (CSS
 * Cascading 6, 2.5). Imports, page rules, animations and every declaration that would load something are removed. Style
 * that cannot be parsed is repaired or left out.
 */
export function cleanStyleSheet(css: string, scope: string, rules: StyleRules = {}): string {
  const root = css.length > MAX_LENGTH ? undefined : parse(css);
  if (root === undefined) return '';
  const { body = ':scope' } = rules;
  const faces: string[] = [];
  root.walkAtRules((rule) => {
    const name = rule.name.toLowerCase();
    if (name === 'font-face') {
      cleanNodes(rule, rules);
      if (/\bsrc\s*:/i.test(rule.toString())) faces.push(rule.toString());
    }
    if (!['media', 'supports', 'layer', 'container'].includes(name) || rule.nodes === undefined) rule.remove();
  });
  root.walkRules((rule) => {
    rule.selector = rule.selector
      .replace(
        /(^|[\s>+~,(])(html|body|:root)(?![\w-])/gi,
        (_match, before: string, name: string) => `${before}${name.toLowerCase() === 'body' ? body : ':scope'}`,
      )
      .replace(/:scope(?:\s*>\s*|\s+):scope/g, ':scope');
    cleanNodes(rule, rules);
  });
  root.walkComments((comment) => void comment.remove());
  return unclosable(`${faces.join('\n')}\n@scope (${scope}) {\n${root.toString()}\n}`);
}

/** Cleans what a `style` attribute holds. */
export function cleanStyleAttribute(style: string, rules: StyleRules = {}): string {
  try {
    const root = postcss.parse(style);
    cleanNodes(root, rules);
    return root.nodes
      .filter((node) => node.type === 'decl')
      .map(String)
      .join('; ');
  } catch {
    return '';
  }
}

function cleanNodes(parent: Root | AtRule | { nodes: ChildNode[] }, rules: StyleRules): void {
  for (const node of (parent.nodes ?? []).slice()) {
    if (node.type === 'comment') node.remove();
    if (node.type !== 'decl') continue;
    // Writes the value that was checked, not the raw one with comments in it.
    delete node.raws.value;
    const value = cleanValue(node, rules);
    if (value === undefined) node.remove();
    else node.value = value;
  }
}

function cleanValue({ prop, value }: Declaration, { url, flowOnly = false }: StyleRules): string | undefined {
  const name = prop.toLowerCase();
  if (running.has(name) || name.includes('\\') || /expression\s*\(|javascript:|vbscript:/i.test(value))
    return undefined;
  if (name === 'position' && (flowOnly ? /fixed|absolute|sticky/i : /fixed|sticky/i).test(value)) return undefined;
  if (value.includes('\\') && !textual.has(name)) return undefined;
  if (!value.includes('(')) return value;
  let refused = value.split('(').length > MOST_REFERENCES;
  const mapped = refused
    ? ''
    : mapStyleAddresses(value, (address) => {
        const next = url?.(address.trim());
        refused ||= next === undefined;
        return next;
      });
  return refused || mapped.includes('refused(') ? undefined : mapped;
}

/**
 * Leaves out what makes a style sheet unreadable, line by line: books are full of such style, and readers show the
 * rest.
 */
function parse(css: string): Root | undefined {
  let text = css.replace(/<!--|-->/g, ' ').replace(/^\uFEFF/, '');
  for (let attempt = 0; attempt < REPAIR_ATTEMPTS; attempt++) {
    try {
      return postcss.parse(text);
    } catch (error) {
      const { line, reason } = error as CssSyntaxError;
      if (line === undefined) return undefined;
      const lines = text.split('\n');
      if (/unclosed block/i.test(reason)) text += '\n}';
      else if (/unclosed (comment|string)/i.test(reason)) text = lines.slice(0, line - 1).join('\n');
      else text = lines.filter((_each, i) => i !== line - 1).join('\n');
    }
  }
  return undefined;
}

/** Nothing in style may end the element that holds it. */
function unclosable(css: string): string {
  return css.replace(/<(?=[/!])/g, '\\3c ');
}
