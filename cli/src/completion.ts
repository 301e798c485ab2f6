import { knownOperations } from './catalog.js';
import { findOperation, kebab } from './command-names.js';
import { EXIT, Failure } from './failure.js';
import { GLOBAL_OPTIONS, optionName, RESULT_OPTIONS, secondFiles } from './options.js';
import { chosenUrl } from './server.js';

const COMMANDS = [
  'completion',
  'doctor',
  'help',
  'import-automations',
  'jobs',
  'login',
  'logout',
  'pipeline',
  'serve',
  'tools',
];
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  jobs: ['list', 'show', 'wait', 'result', 'cancel'],
  pipeline: ['run', 'check'],
  completion: ['bash', 'zsh', 'fish', 'powershell'],
};

/**
 * Each script asks `quire __complete <words>` and offers files where that answers nothing. The one for zsh is loaded as
 * a function by its first completion, which it must then do.
 */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_quire() {
  COMPREPLY=($(compgen -W "$(quire __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _quire quire`,
  zsh: `#compdef quire
_quire() {
  local -a found
  found=(\${(f)"$(quire __complete "\${words[@]:1:$((CURRENT-1))}" 2>/dev/null)"})
  if (( \${#found} )); then compadd -a found; else _files; fi
}
if [[ $funcstack[1] == _quire ]]; then _quire "$@"; else compdef _quire quire; fi`,
  fish: `function __quire_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (quire __complete $words[2..-1] 2>/dev/null)
  if test -n "$found"
    printf '%s\\n' $found
  else if test (count $words) -gt 2
    __fish_complete_path (commandline -ct)
  end
end
complete -c quire -f -a '(__quire_complete)'`,
  powershell: `Register-ArgumentCompleter -Native -CommandName quire -ScriptBlock {
  param($word, $ast, $cursor)
  $words = @($ast.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($word -eq '') { $words += '' }
  quire __complete @words 2>$null | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}`,
};

/** The script for a shell. */
export function completionScript(shell: string | undefined): string {
  const script = SCRIPTS[shell ?? ''];
  if (script === undefined)
    throw new Failure(
      EXIT.usage,
      `Name a shell: ${Object.keys(SCRIPTS).join(', ')}.`,
      'For example: quire completion bash >> ~/.bashrc',
    );
  return script;
}

/** What may follow these words, of which the last is unfinished. Calls no server: it reads the kept catalog. */
export function completions(words: readonly string[]): string[] {
  const [command = '', ...rest] = words;
  const last = words.at(-1) ?? '';
  const operations = knownOperations(chosenUrl({ local: words.includes('--local') }) ?? 'local');
  const starting = (all: readonly string[]): string[] =>
    [...new Set(all)].sort().filter((each) => each.startsWith(last));
  if (rest.length === 0) return starting([...COMMANDS, ...operations.map(({ name }) => kebab(name))]);
  if (command in ACTIONS) return rest.length === 1 ? starting(ACTIONS[command] ?? []) : [];
  try {
    const operation = findOperation(operations, command);
    const before = rest.at(-2);
    const field = operation.fields.find((each) => `--${optionName(each)}` === before);
    if (field?.values !== undefined && field.type !== 'boolean')
      return starting(field.values.map(({ value }) => String(value)));
    if (!last.startsWith('-')) return [];
    const own = [
      ...operation.fields.map(optionName),
      ...secondFiles(operation).map((part) => optionName({ name: part.field })),
    ];
    return starting([...own, ...Object.keys({ ...GLOBAL_OPTIONS, ...RESULT_OPTIONS })].map((name) => `--${name}`));
  } catch {
    return [];
  }
}
