import { readWorkspaceAsset } from '../workspace/workspace-assets.ts';
import { writePng } from './write-png.ts';

/** A picture of the workspace's own as an address that holds it, for what leaves the server. Undefined where there is none that may leave. */
export async function imageAddress(root: string, file: string): Promise<string | undefined> {
  const found = await readWorkspaceAsset(root, 'images', file).catch(() => undefined);
  if (!found || (found.type === 'image/svg+xml' && leadsElsewhere(found.bytes.toString('utf8'))))
    return undefined;
  return `data:${found.type};base64,${found.bytes.toString('base64')}`;
}

/**
 * The same for drawings, which hold PNG and JPEG alone: other pictures are drawn as a PNG.
 * @param box where it stands: a picture of another kind is drawn for it, twice as fine
 */
export async function drawnImageAddress(
  root: string,
  file: string,
  box: { readonly width: number; readonly height: number },
): Promise<string | undefined> {
  const address = await imageAddress(root, file);
  if (!address || /^data:image\/(png|jpeg);/.test(address)) return address;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${box.width}" height="${box.height}"><image href="${address}" width="${box.width}" height="${box.height}"/></svg>`;
  return `data:image/png;base64,${Buffer.from(writePng(svg, 2, [])).toString('base64')}`;
}

/** A drawing that names something outside itself would have it fetched wherever it is opened. */
function leadsElsewhere(svg: string): boolean {
  return /(?:href|src)\s*=\s*["']?\s*(?!["'#]|data:)|url\(\s*["']?\s*(?!["'#]|data:)|@import|<script|<foreignObject/i.test(
    svg,
  );
}
