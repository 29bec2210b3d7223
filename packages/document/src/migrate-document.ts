import { parseYaml } from './parse-yaml.ts';
import { nameTheVersion } from './migrations/0001-name-the-version.ts';

/**
 * Each migrates a document's text to the next version; the first from version 0, which no document names, to
 * 1.
 */
const migrations: readonly ((text: string) => string)[] = [nameTheVersion];

/**
 * Returns a document's text in the current version, with comments and order unchanged. Current and newer
 * documents, and texts without a detectable version, are returned unchanged; reading them reports their
 * errors.
 */
export function migrateDocument(text: string): string {
  const { document } = parseYaml(text);
  if (document.errors.length > 0) return text;
  const version = document.get('version') ?? 0;
  return Number.isInteger(version)
    ? migrations.slice(Math.max(0, Number(version))).reduce((migrated, migrate) => migrate(migrated), text)
    : text;
}
