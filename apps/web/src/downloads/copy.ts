/* What is copied goes where the browser lets it: not without leave, and not on a page that came over plain HTTP. Each is rejected then. */

/** Rows as spreadsheets take them from the clipboard: columns by tabs, rows by lines. */
export async function copyText(rows: readonly (readonly string[])[]): Promise<void> {
  await navigator.clipboard.writeText(
    rows.map(row => row.map(cell => cell.replace(/[\t\n\r]+/g, ' ')).join('\t')).join('\n'),
  );
}

/**
 * A tile's picture onto the clipboard. The promise is handed over as it is: some browsers take a picture only
 * in the click's own moment.
 */
export async function copyPicture(picture: Promise<Response>): Promise<void> {
  await navigator.clipboard.write([
    new ClipboardItem({ 'image/png': picture.then(response => response.blob()) }),
  ]);
}

export async function copyLink(address: string): Promise<void> {
  await navigator.clipboard.writeText(address);
}
