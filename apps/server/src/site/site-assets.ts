import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** The scripts, styles and fonts that the pages of a site share. */
export interface SiteAssets {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly script: string;
  /** Scripts that `script` imports at once. */
  readonly imports: readonly string[];
  readonly styles: readonly string[];
  readonly font: string | undefined;
  readonly oldBrowserScript: string;
  readonly icon: string;
}

interface ManifestEntry {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

/** Names a file after its content, so that browsers and servers may keep it forever. */
export function hashedName(name: string, ending: string, content: Uint8Array | string): string {
  const hash = hashOf(content).replace(/[-_]/g, '0').slice(0, 12);
  return `assets/${name}-${hash}.${ending}`;
}

export function hashOf(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('base64url');
}

/** Reads the built pages of sites. @param pagesFolder the folder of the application's built pages */
export async function readSiteAssets(pagesFolder: string): Promise<SiteAssets> {
  const folder = path.join(pagesFolder, 'site');
  const manifest = JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8')) as Readonly<
    Record<string, ManifestEntry>
  >;
  const entry = Object.values(manifest).find(({ isEntry }) => isEntry)!;
  const files = new Map<string, Uint8Array>();
  for (const name of (await readdir(folder)).toSorted())
    if (name !== 'manifest.json') files.set(`assets/${name}`, await readFile(path.join(folder, name)));
  const add = async (file: string, name: string, ending: string) => {
    const content = await readFile(path.join(pagesFolder, file));
    const hashed = hashedName(name, ending, content);
    files.set(hashed, content);
    return hashed;
  };
  const imported = (entry.imports ?? []).flatMap(name => manifest[name] ?? []);
  const font = [...files.keys()].find(name => /\/inter-latin-wght-normal-[\w-]+\.woff2$/.test(name));
  return {
    files,
    script: `assets/${entry.file}`,
    imports: imported.map(({ file }) => `assets/${file}`),
    styles: [...new Set([entry, ...imported].flatMap(({ css = [] }) => css))].map(file => `assets/${file}`),
    font,
    oldBrowserScript: await add('old-browser.js', 'old-browser', 'js'),
    icon: await add('icon.svg', 'icon', 'svg'),
  };
}
