import { Fragment, type ComponentChildren } from 'preact';

/** Shows the Markdown of notes: paragraphs, lists, code, bold and links. Anything else is shown as text. */
export function Markdown({ text }: { readonly text: string }) {
  return (
    <div class="markdown" dir="auto">
      {text.split(/\n{2,}/).map((block, i) => {
        const lines = block.split('\n');
        if (lines.every((line) => /^\s*[-*] /.test(line)))
          return (
            <ul key={i}>
              {lines.map((line, at) => (
                <li key={at}>{inline(line.replace(/^\s*[-*] /, ''))}</li>
              ))}
            </ul>
          );
        return <p key={i}>{inline(lines.join(' '))}</p>;
      })}
    </div>
  );
}

function inline(text: string): ComponentChildren {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\(https?:[^)\s]+\))/).map((part, i) => {
    if (part.startsWith('`')) return <code key={i}>{part.slice(1, -1)}</code>;
    if (part.startsWith('**')) return <strong key={i}>{part.slice(2, -2)}</strong>;
    const [, words, address] = /^\[([^\]]+)\]\((.+)\)$/.exec(part) ?? [];
    if (address !== undefined)
      return (
        <a key={i} href={address} target="_blank" rel="noreferrer">
          {words}
        </a>
      );
    return <Fragment key={i}>{part}</Fragment>;
  });
}
