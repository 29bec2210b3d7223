import { diffIndices } from 'node-diff3';

/** The number of unchanged lines shown around a change. */
const context = 3;

/**
 * Returns the change of a text as a unified diff (POSIX `diff -u`); empty if it is unchanged.
 * @param before undefined for a file that does not exist yet
 */
export function writeDiff(file: string, before: string | undefined, after: string): string {
  const [old, now] = [linesOf(before ?? ''), linesOf(after)];
  const hunks: { at: [number, number]; below: [number, number]; lines: string[] }[] = [];
  for (const {
    buffer1: [from, length],
    buffer1Content,
    buffer2: [position, count],
    buffer2Content,
  } of diffIndices(old, now)) {
    const changed = [...buffer1Content.map(line => `-${line}`), ...buffer2Content.map(line => `+${line}`)];
    const last = hunks.at(-1);
    const kept = (start: number, end: number) => old.slice(Math.max(0, start), end).map(line => ` ${line}`);
    if (last && from - last.below[0] <= 2 * context)
      last.lines.push(...kept(last.below[0], from), ...changed);
    else {
      if (last) last.lines.push(...kept(last.below[0], last.below[0] + context));
      const lead = kept(from - context, from);
      hunks.push({
        at: [from - lead.length, position - lead.length],
        below: [0, 0],
        lines: [...lead, ...changed],
      });
    }
    hunks.at(-1)!.below = [from + length, position + count];
  }
  const last = hunks.at(-1);
  if (!last) return '';
  last.lines.push(...old.slice(last.below[0], last.below[0] + context).map(line => ` ${line}`));
  return [
    `--- ${before === undefined ? '/dev/null' : `a/${file}`}`,
    `+++ b/${file}`,
    ...hunks.flatMap(({ at, lines }) => [
      `@@ -${range(at[0], lines, '+')} +${range(at[1], lines, '-')} @@`,
      ...lines,
    ]),
  ].join('\n');
}

/** A hunk's first line, counted from 1, and its number of lines on one side. */
function range(from: number, lines: readonly string[], other: '+' | '-'): string {
  const count = lines.filter(line => !line.startsWith(other)).length;
  return `${count === 0 ? from : from + 1},${count}`;
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
