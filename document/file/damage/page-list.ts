/** Most pages that one sentence names. */
const NAMED_PAGES = 10;

/** Names pages in a sentence: "page 2", "pages 1, 2, 5", with the first ones and how many more. Numbers start at 1. */
export function pageList(numbers: readonly number[]): string {
  const named = numbers.slice(0, NAMED_PAGES).join(', ');
  const more = numbers.length - NAMED_PAGES;
  return `${numbers.length === 1 ? 'page' : 'pages'} ${named}${more > 0 ? ` and ${more} more` : ''}`;
}
