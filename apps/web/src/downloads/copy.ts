/* Each function rejects if the browser denies access to the clipboard: without permission, or on a page over plain HTTP. */

/** Copies rows as lines of tab-separated cells, for spreadsheets. */
export async function copyText(rows: readonly (readonly string[])[]): Promise<void> {
  await navigator.clipboard.writeText(
    rows.map(row => row.map(cell => cell.replace(/[\t\n\r]+/g, ' ')).join('\t')).join('\n'),
  );
}

/** Copies a tile's image. Takes a promise, since some browsers allow this only during the click event. */
export async function copyPicture(picture: Promise<Response>): Promise<void> {
  await navigator.clipboard.write([
    new ClipboardItem({ 'image/png': picture.then(response => response.blob()) }),
  ]);
}

export async function copyLink(address: string): Promise<void> {
  await navigator.clipboard.writeText(address);
}
