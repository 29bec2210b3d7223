import { readWorkspaceAsset } from '../workspace/workspace-assets.ts';
import { writePng } from './formats/write-png.ts';

/**
 * Returns an image of the workspace as a data URL, for files that leave the server. Undefined if there is no
 * image, or if it may not leave.
 */
export async function imageAddress(root: string, file: string): Promise<string | undefined> {
  const found = await readWorkspaceAsset(root, 'images', file).catch(() => undefined);
  if (!found || (found.type === 'image/svg+xml' && leadsElsewhere(found.bytes.toString('utf8'))))
    return undefined;
  return `data:${found.type};base64,${found.bytes.toString('base64')}`;
}

/**
 * Like `imageAddress`, for drawings, which can embed only PNG and JPEG. Other images are rendered as PNG.
 * @param box the image's size; other formats are rendered for it at twice its resolution
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

/** Whether an SVG references anything outside itself, which would be fetched wherever the file is opened. */
function leadsElsewhere(svg: string): boolean {
  return /(?:href|src)\s*=\s*["']?\s*(?!["'#]|data:)|url\(\s*["']?\s*(?!["'#]|data:)|@import|<script|<foreignObject/i.test(
    svg,
  );
}
