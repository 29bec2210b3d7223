/** Returns an ID for a new document from its title, such as `late-flights`, that none of the others has. */
export function newDocumentId(title: string, others: Iterable<string>): string {
  const taken = new Set(others);
  const words = title
    .normalize('NFC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? ['untitled'];
  const wanted = words.join('-').slice(0, 60);
  if (!taken.has(wanted)) return wanted;
  let n = 2;
  while (taken.has(`${wanted}-${n}`)) n++;
  return `${wanted}-${n}`;
}
