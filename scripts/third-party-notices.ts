import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface LockedPackage {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly link?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

export interface Notice {
  readonly name: string;
  readonly version: string;
  /** SPDX identifier or expression, as the package states it. */
  readonly licence: string;
  /**
   * The licence files of the package; none for packages of one operating system or processor, which other
   * machines do not install.
   */
  readonly texts: readonly string[];
}

/** Stated in the package's licence file alone. */
const statedInFiles: Readonly<Record<string, string>> = { 'png-js': 'MIT' };

const licenceFile = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

/** The packages that Belvedere runs with, by `package-lock.json`, in the order of their names. */
export function thirdPartyPackages(root: string): readonly Notice[] {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, LockedPackage>>;
  };
  const used = Object.entries(packages).filter(
    ([place, { dev, devOptional, link }]) => place.includes('node_modules/') && !dev && !devOptional && !link,
  );
  // The lock file leaves out the licence of packages for other systems: it is that of the same package for
  // this one.
  const bySubject = new Map(
    used.flatMap(([place, { license }]) =>
      license === undefined ? [] : [[subjectOf(place), license] as const],
    ),
  );
  return used
    .map(([place, { version, license, os, cpu, optional }]) => {
      const folder = path.join(root, place);
      const isEverywhere = !os && !cpu && !optional && existsSync(folder);
      const name = nameOf(place);
      return {
        name,
        version,
        licence: license ?? bySubject.get(subjectOf(place)) ?? statedInFiles[name] ?? 'not stated',
        texts: isEverywhere ? licenceTexts(folder) : [],
      };
    })
    .toSorted((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
}

/** The notices as one text: packages with the same licence text share it. */
export function writeNotices(packages: readonly Notice[]): string {
  const rule = '='.repeat(80);
  const groups = Map.groupBy(packages, ({ licence, texts }) =>
    [`Licence: ${licence}`, ...texts].join('\n\n'),
  );
  const parts = Array.from(
    groups,
    ([text, same]) =>
      `${rule}\n${[...new Set(same.map(({ name, version }) => `${name} ${version}`))].join('\n')}\n\n${text}\n`,
  );
  return `Belvedere runs with the packages below. Each is used under the licence printed with it.\n\n${parts.join('\n')}`;
}

function nameOf(place: string): string {
  return place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** `@duckdb/node-bindings` of `@duckdb/node-bindings-darwin-arm64`. */
function subjectOf(place: string): string {
  return nameOf(place).replace(/-(android|darwin|freebsd|linux|linuxmusl|win32)-.*$/, '');
}

function licenceTexts(folder: string): readonly string[] {
  const files = readdirSync(folder)
    .filter(file => licenceFile.test(file))
    .toSorted();
  return files.map(file =>
    readFileSync(path.join(folder, file), 'utf8')
      .replaceAll('\r\n', '\n')
      .replace(/[ \t]+$/gm, '')
      .trim(),
  );
}
