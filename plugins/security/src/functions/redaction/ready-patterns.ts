/** Patterns for what is redacted most, in the syntax of `translatePattern`. Case is ignored. */
const PATTERNS = {
  email: String.raw`(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}`,
  // At least seven digits, written as people group them.
  phone: String.raw`(?<![\p{L}+.,/-])(?<!\p{N} ?)(?:\+|00|0|\(0)\d{1,3}[)]?(?:[ ./()-]{0,2}\d){5,12}(?![\p{L}\p{N}])`,
  // ISO 13616: country, check digits, 11 to 30 letters and digits in groups of four.
  iban: String.raw`\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b`,
  card: String.raw`(?<!\p{N}[ -]?)(?<!\p{L})(?:(?:\d{4}[ -]?){3}\d{1,7}|3\d{3}[ -]?\d{6}[ -]?\d{5})(?![ -]?\p{N})`,
  date: String.raw`(?<!\p{N})(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./-] ?\d{1,2}[./-] ?(?:\d{4}|\d{2}))(?!\p{N})`,
  address: String.raw`\b(?:https?://|www\.)[^\s<>"]+`,
} as const;

export type ReadyPattern = keyof typeof PATTERNS;

export function readyPattern(name: ReadyPattern): string {
  return PATTERNS[name];
}
