const figure = /\{\{\s*([a-z][a-z0-9_]*(?:\([a-z0-9_]*\))?)\s*\}\}/g;

/** The measures that a text names, `{{ flights }}` or `{{ median(delay) }}`: each once, in order. */
export function measuresInText(text: string): string[] {
  return [...new Set([...text.matchAll(figure)].map(match => match[1]!))];
}

/** Replaces each measure name in the text by the result of `say`. */
export function replaceMeasures(text: string, say: (measure: string, written: string) => string): string {
  return text.replace(figure, (written, measure: string) => say(measure, written));
}
