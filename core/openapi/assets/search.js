// Swagger UI's own filter looks at tags only. This one finds operations by all words typed, in any order, in the path,
// the summary and the keywords.
window.QuireSearch = () => ({
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
