const figure = /\{\{\s*([a-z][a-z0-9_]*(?:\([a-z0-9_]*\))?)\s*\}\}/g;

/** The measures that a text names: `{{ flights }}`, `{{ median(delay) }}`; each once, in their order. */
export function figuresIn(text: string): string[] {
  return [...new Set([...text.matchAll(figure)].map(match => match[1]!))];
}

/** The text with what is said in place of each measure it names. */
export function withFigures(text: string, say: (measure: string) => string): string {
  return text.replace(figure, (_, measure: string) => say(measure));
}
