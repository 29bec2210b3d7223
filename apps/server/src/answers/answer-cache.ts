import type { Answer } from '@belvedere/engine';

/** Answers already given, least recently used first out. A key names everything an answer depends on, so nothing ever has to be thrown out of date. */
export class AnswerCache {
  readonly #answers = new Map<string, { answer: Answer; bytes: number }>();
  readonly #limit: number;
  bytes = 0;
  hits = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): Answer | undefined {
    const found = this.#answers.get(key);
    if (!found) return undefined;
    this.hits++;
    this.#answers.delete(key);
    this.#answers.set(key, found);
    return found.answer;
  }

  clear(): void {
    this.#answers.clear();
    this.bytes = 0;
  }

  set(key: string, answer: Answer): void {
    const bytes = sizeOf(answer) + key.length * 2;
    if (bytes > this.#limit / 8) return;
    this.bytes += bytes - (this.#answers.get(key)?.bytes ?? 0);
    this.#answers.delete(key);
    this.#answers.set(key, { answer, bytes });
    for (const [oldest, old] of this.#answers) {
      if (this.bytes <= this.#limit) break;
      this.#answers.delete(oldest);
      this.bytes -= old.bytes;
    }
  }
}

function sizeOf(answer: Answer): number {
  return answer.columns.reduce((sum, { values }) => sum + ('byteLength' in values ? values.byteLength : values.length * 24), 200);
}
