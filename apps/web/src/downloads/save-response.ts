/**
 * Has the browser save what a response gives, once all of it has come; how much that is so far is told.
 * @param name where the server gives the file none
 */
export async function saveResponse(
  response: Response,
  name: string,
  onBytes: (bytes: number) => void,
): Promise<void> {
  let bytes = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, stream) {
      bytes += piece.length;
      onBytes(bytes);
      stream.enqueue(piece);
    },
  });
  const address = URL.createObjectURL(
    await new Response(response.body!.pipeThrough(counted), {
      headers: { 'content-type': response.headers.get('content-type') ?? '' },
    }).blob(),
  );
  follow(address, nameIn(response) ?? name);
  // The browser has taken it over by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/**
 * Has the browser save what an address gives, under that name or, without one, the server's; the page stays.
 */
export function follow(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}

/** The file's name as the server says it (RFC 6266). */
function nameIn(response: Response): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(response.headers.get('content-disposition') ?? '')?.[1];
  return encoded === undefined ? undefined : decodeURIComponent(encoded);
}
