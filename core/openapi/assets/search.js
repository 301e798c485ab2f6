// Swagger UI's own filter looks at tags only. This one finds operations by all words typed, in any order, in the path,
// the summary and the keywords.
const SEARCHES = 'Search paths, summaries and keywords, for example: combine';

window.QuireSearch = () => ({
  wrapComponents: {
    // Its own placeholder promises tags and paths only, and cannot be set.
    FilterContainer: (Original, { React }) =>
      function Search(props) {
        React.useEffect(() => {
          const input = document.querySelector('.operation-filter-input');
          if (input === null) return;
          input.placeholder = SEARCHES;
          input.setAttribute('aria-label', SEARCHES);
        });
        return React.createElement(Original, props);
      },
  },
  fn: {
    opsFilter: (taggedOps, phrase) => {
      const words = String(phrase).toLowerCase().split(/\s+/).filter(Boolean);
      const fits = (tag, entry) => {
        const operation = entry.get('operation');
        const keywords = operation.get('x-keywords')?.join(' ') ?? '';
        const text = `${tag} ${entry.get('path')} ${operation.get('summary') ?? ''} ${keywords}`.toLowerCase();
        return words.every((word) => text.includes(word));
      };
      return taggedOps
        .map((group, tag) => group.update('operations', (entries) => entries.filter((entry) => fits(tag, entry))))
        .filter((group) => group.get('operations').size > 0);
    },
  },
});
