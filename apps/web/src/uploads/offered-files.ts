/** Files that the user dropped, pasted or chose for upload. The shell shows the upload dialog for them. */
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

/** Opens the browser's file picker. */
export function chooseFiles(): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.addEventListener('change', () => offerFiles(input.files ?? []));
  input.click();
}
