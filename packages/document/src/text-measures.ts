const figure = /\{\{\s*([a-z][a-z0-9_]*(?:\([a-z0-9_]*\))?)\s*\}\}/g;

/** The measures that a text names: `{{ flights }}`, `{{ median(delay) }}`; each once, in their order. */
export function measuresInText(text: string): string[] {
  return [...new Set([...text.matchAll(figure)].map(match => match[1]!))];
}

/** The text with what is said in place of each measure it names, which it has written so. */
export function replaceMeasures(text: string, say: (measure: string, written: string) => string): string {
  return text.replace(figure, (written, measure: string) => say(measure, written));
}
