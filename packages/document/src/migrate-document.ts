import { parseYaml } from './parse-yaml.ts';
import { nameTheVersion } from './migrations/0001-name-the-version.ts';

/** Each brings a document's text from one version to the next: the first from 0, which no document names, to 1. */
const migrations: readonly ((text: string) => string)[] = [nameTheVersion];

/**
 * A document's text in today's version, its comments and order kept; the very same where it is that already, is of a newer version, or is
 * nothing that a version could be told of (reading it says what is wrong with it).
 */
export function migrateDocument(text: string): string {
  const { document } = parseYaml(text);
  if (document.errors.length > 0) return text;
  const version = document.get('version') ?? 0;
  return Number.isInteger(version)
    ? migrations.slice(Math.max(0, Number(version))).reduce((migrated, migrate) => migrate(migrated), text)
    : text;
}
