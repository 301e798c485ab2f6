/** The text that a reader of the page sees, blanks joined. Knows the entities that the page uses, and no others. */
export function textOfHtml(html: string): string {
  return html
    .slice(html.indexOf('<body>'))
    .replace(/<[^>]*>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ');
}
