/**
 * Saves a response as a file once it is complete.
 * @param name the file's name, unless the server gives one
 * @param onBytes called with the number of bytes received so far
 */
export async function saveResponse(
  response: Response,
  name: string,
  onBytes: (bytes: number) => void,
): Promise<void> {
  let bytes = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, stream) {
      bytes += chunk.length;
      onBytes(bytes);
      stream.enqueue(chunk);
    },
  });
  const address = URL.createObjectURL(
    await new Response(response.body!.pipeThrough(counted), {
      headers: { 'content-type': response.headers.get('content-type') ?? '' },
    }).blob(),
  );
  saveUrl(address, nameIn(response) ?? name);
  // The browser has started to save it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Saves a URL's content as a file without leaving the page. An empty name means the server's. */
export function saveUrl(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}

/** Returns the file name of the `Content-Disposition` header (RFC 6266). */
function nameIn(response: Response): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(response.headers.get('content-disposition') ?? '')?.[1];
  return encoded === undefined ? undefined : decodeURIComponent(encoded);
}
