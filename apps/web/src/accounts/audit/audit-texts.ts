import type { Level, ObjectKind, Role, TokenScope } from '@belvedere/api';
import type { AccountMessages } from '../messages/en.ts';

/** The object of an entry of the audit log, in the interface's language: `dashboard orders`. */
export function auditObject(words: AccountMessages, object: string): string {
  const [, kind, name] = /^(dashboard|folder|model|source)(?: (.*))?$/s.exec(object) ?? [];
  return kind === undefined ? object : words.audit.kinds[kind as ObjectKind](name ?? '');
}

/**
 * Returns what the words of a search stand for in the log, which has its own terms: `labels` of the request;
 * undefined if none of them is in a label.
 */
export function auditLabels(words: AccountMessages, search: string): string | undefined {
  const { actions, outcomes, details, kinds } = words.audit;
  const kindNames = (['dashboard', 'folder', 'model', 'source'] as const).map(
    kind => [kind, kinds[kind]('')] as const,
  );
  const labels = [
    ...[actions, outcomes, details, words.roles, words.tokens.scopes].flatMap(all => Object.entries(all)),
    ...kindNames,
    ['disabled', words.people.disabled],
    ['enabled', words.people.active],
  ] as const;
  const said = new Set(search.toLowerCase().split(/\s+/));
  const parts = [...said].flatMap(word => {
    // Single letters of alphabets are in almost every label.
    if (word === '' || /^[\p{Script=Latin}\d]$/u.test(word)) return [];
    const codes = labels.flatMap(([code, label]) => (label.toLowerCase().includes(word) ? [code] : []));
    if (codes.length === 0) return [];
    return [`${encodeURIComponent(word)}=${[...new Set(codes)].map(encodeURIComponent).join(',')}`];
  });
  return parts.length > 0 ? parts.join(';') : undefined;
}

/** The detail of an entry, part by part. What the server writes in no known form stays as it is. */
export function auditDetail(words: AccountMessages, detail: string): string {
  const provider = /^with (.+?)(?:; |$)/.exec(detail)?.[1];
  const { problems } = words.provider;
  return detail
    .split('; ')
    .map(part =>
      provider !== undefined && Object.hasOwn(problems, part)
        ? problems[part]!(provider)
        : partOf(words, part),
    )
    .join('; ');
}

function partOf(words: AccountMessages, part: string): string {
  const roleName = (role: string) => words.roles[role as Role] ?? role;
  const [, as] = /^as (\w+)$/.exec(part) ?? [];
  if (as !== undefined) return words.audit.asRole(roleName(as));
  const [, provider] = /^with (.+)$/.exec(part) ?? [];
  if (provider !== undefined) return words.audit.withProvider(provider);
  const [, before, after] = /^role: (\w+) → (\w+)$/.exec(part) ?? [];
  if (before !== undefined) return `${words.people.role}: ${roleName(before)} → ${roleName(after!)}`;
  const [, scope] = /^scope: (\w+)$/.exec(part) ?? [];
  if (scope !== undefined) return words.tokens.scopes[scope as TokenScope] ?? scope;
  const [, subject, level] = /^(.*): (view|explore|edit|manage|none)$/s.exec(part) ?? [];
  if (subject !== undefined) {
    const name = subject === 'everyone' ? words.share.everyone : subject;
    return `${name}: ${level === 'none' ? words.audit.noAccess : words.share.levels[level as Level]}`;
  }
  const [, from, to] = /^expiry: (\S+) → (\S+)$/.exec(part) ?? [];
  if (from !== undefined) return `${from.slice(0, 10)} → ${to!.slice(0, 10)}`;
  const [, rows] = /^export rows: (\w+)$/.exec(part) ?? [];
  if (rows !== undefined)
    return rows === 'unlimited' ? words.share.noExportLimit : words.share.exportsOf(rows);
  const [, groups] = /^groups: (.*)$/s.exec(part) ?? [];
  if (groups !== undefined) return `${words.people.groups}: ${groups}`;
  const [, contained] = /^contains: (.*)$/s.exec(part) ?? [];
  if (contained !== undefined) return words.groups.contains(contained);
  const [, attributes] = /^attributes: (.*)$/s.exec(part) ?? [];
  if (attributes !== undefined) return `${words.attributes.title}: ${attributes}`;
  if (part === 'disabled') return words.people.disabled;
  return part === 'enabled' ? words.people.active : (words.audit.details[part] ?? part);
}
