/** How Markdown looks on paper. */
export const markdownStyle = `
@page { size: A4; margin: 22mm 20mm; }
html { font: 10.5pt/1.5 "Liberation Sans", Arimo, Arial, "Noto Sans", "Noto Sans JP", "Noto Sans KR",
  "Noto Sans SC", sans-serif; color: #1f2328; }
body { margin: 0; }
main { overflow-wrap: break-word; }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 1.4em 0 .6em; break-after: avoid; font-weight: 600; }
main > :first-child { margin-top: 0; }
h1 { font-size: 1.9em; } h2 { font-size: 1.45em; } h3 { font-size: 1.2em; } h4 { font-size: 1.05em; } h5 {
font-size: 1em; } h6 { font-size: .9em; color: #59636e; }
h1, h2 { padding-bottom: .25em; border-bottom: .75pt solid #d1d9e0; }
p, ul, ol, dl, table, pre, blockquote { margin: 0 0 .9em; }
p, li { orphans: 3; widows: 3; }
ul, ol { padding-left: 1.8em; } li > p { margin-bottom: .4em; } li + li { margin-top: .2em; }
li > ul, li > ol { margin: .2em 0 0; }
a { color: #0969da; text-decoration: none; }
img, svg { max-width: 100%; height: auto; }
hr { border: 0; border-top: 1.5pt solid #d1d9e0; margin: 1.6em 0; }
blockquote { padding: 0 1em; border-left: 3pt solid #d1d9e0; color: #59636e; } blockquote > :last-child {
margin-bottom: 0; }
code, kbd, pre, samp { font-family: "Liberation Mono", Cousine, "DejaVu Sans Mono", monospace; font-size: .88em; }
code, kbd { background: #eff1f3; border-radius: 3pt; padding: .12em .35em; }
pre { background: #f6f8fa; border-radius: 4pt; padding: .8em 1em; line-height: 1.4; white-space: pre-wrap;
overflow-wrap: anywhere; break-inside: auto; }
pre code { background: none; padding: 0; font-size: 1em; }
table { border-collapse: collapse; max-width: 100%; } thead { display: table-header-group; } tr { break-inside: avoid; }
th, td { border: .75pt solid #d1d9e0; padding: .35em .8em; vertical-align: top; } th { font-weight: 600;
background: #f6f8fa; }
.table-striped tbody tr:nth-child(even) { background: #f6f8fa; }
.task-list-item { list-style: none; } .task {
margin-left: -1.4em; font-family: "DejaVu Sans", "Noto Sans Symbols 2", sans-serif; display: inline-block; width: 1.1em; }
.footnotes { font-size: .88em; } .footnotes-sep { margin-top: 2em; } .footnote-ref a { text-decoration: none; }
.footnotes p { margin-bottom: .3em; }
.hljs-comment, .hljs-quote { color: #59636e; } .hljs-keyword, .hljs-selector-tag, .hljs-type, .hljs-doctag {
color: #cf222e; } .hljs-string, .hljs-regexp, .hljs-addition { color: #0a3069; }
.hljs-number, .hljs-literal, .hljs-attr, .hljs-attribute, .hljs-symbol, .hljs-meta, .hljs-variable { color: #0550ae; }
.hljs-title, .hljs-section { color: #8250df; } .hljs-name, .hljs-built_in, .hljs-selector-class { color: #116329; }
.hljs-deletion { color: #82071e; }
`;
