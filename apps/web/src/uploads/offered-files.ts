/**
 * Files that somebody wants among the data: dropped anywhere, pasted, or chosen. The shell shows what becomes
 * of them.
 */
let offered: readonly File[] = [];
const listeners = new Set<() => void>();

export function offerFiles(files: Iterable<File>): void {
  offered = [...offered, ...files];
  for (const listener of listeners) listener();
}

export function takeOfferedFiles(): readonly File[] {
  return offered;
}

export function dropOffered(): void {
  offered = [];
  for (const listener of listeners) listener();
}

export function onOffered(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The browser's own way of choosing files. */
export function chooseFiles(): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.addEventListener('change', () => offerFiles(input.files ?? []));
  input.click();
}
