/**
 * Where the rows of a table's n-th word begin in a memory of their own. Memories lie whole gibibytes apart, and what lies so pushes one another
 * out: some processors look lines up by a hash of an address's lower 28 bits, and hold loads up behind a store that lies whole pages away. With
 * all words at the start of their memories a row took a fifth to a half longer to count, and nine times as long to pack.
 * @see Lipp et al., “Take A Way: Exploring the Security Implications of AMD’s Cache Way Predictors”, AsiaCCS 2020, section 3.
 */
export function beginOf(word: number): number {
  return (word + 1) * 4544;
}

/** How long such a memory is, in pages of WebAssembly. */
export function pagesOf(word: number, rows: number): number {
  return Math.ceil((beginOf(word) + rows * 4) / 65_536);
}
