interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly default?: unknown;
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: Schema;
    readonly description?: string;
  }[];
  readonly requestBody?: { readonly content: Contents };
  readonly responses: Readonly<Record<string, { readonly content?: Contents }>>;
}

type Contents = Readonly<Record<string, { readonly schema?: Schema }>>;

export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/**
 * Renders the API's documentation as one plain page without scripts. Its only style sheet is served from the
 * same origin, so that the strict CSP applies.
 */
export function apiDocsPage(api: OpenApiDocument): string {
  const calls = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const groups = api.tags.map(({ name }) => ({
    name,
    calls: calls.filter(({ operation }) => operation.tags.includes(name)),
  }));
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(api.info.title)} API</title><link rel="icon" href="/icon.svg" type="image/svg+xml"><link rel="stylesheet" href="/api-docs.css"></head>
<body>
<nav aria-label="Endpoints">
<p><a href="/">Belvedere</a></p>
${groups.map(({ name, calls: own }) => `<h2>${escape(name)}</h2><ul>${own.map(({ path, method, operation }) => `<li><a href="#${escape(operation.operationId)}">${badge(method)}<span>${withBreaks(path.replace('/api/v1', ''))}</span></a></li>`).join('')}</ul>`).join('\n')}
<h2>Schemas</h2><ul>${Object.keys(api.components.schemas)
    .map(name => `<li><a href="#${escape(name)}"><span>${escape(name)}</span></a></li>`)
    .join('')}</ul>
</nav>
<main>
<h1>${escape(api.info.title)} API <small>${escape(api.info.version)}</small></h1>
<p>The same as a machine-readable document: <a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1). The address that is printed at startup sets the session cookie. Requests other than GET need the header <code>x-belvedere: 1</code>. Errors are returned as <a href="#Problem">Problem</a>, in <code>application/problem+json</code>.</p>
${groups.map(({ name, calls: own }) => `<h2>${escape(name)}</h2>\n${own.map(({ path, method, operation }) => section(path, method, operation)).join('\n')}`).join('\n')}
<h2>Schemas</h2>
${Object.entries(api.components.schemas)
  .map(
    ([name, schema]) =>
      `<section id="${escape(name)}"><h3>${escape(name)}</h3>${schema.properties ? fields(schema) : `<p>${sayType(schema)}</p>`}</section>`,
  )
  .join('\n')}
</main>
</body>
</html>`;
}

function section(
  path: string,
  method: string,
  { operationId, summary = '', parameters = [], requestBody, responses }: Operation,
): string {
  // Headers that all calls except GET need are documented once.
  const own = parameters.filter(({ in: position }) => position !== 'header');
  const body = Object.entries(requestBody?.content ?? {})[0];
  const answer = Object.entries(responses['200']?.content ?? {})[0];
  return `<section id="${escape(operationId)}">
<h3>${badge(method)} <code>${withBreaks(path)}</code></h3>
<p>${withCode(summary)}.</p>
${own.length === 0 ? '' : table(own.map(({ name, in: position, required, schema, description }) => ({ name, note: position === 'path' ? 'in the path' : required ? '' : 'optional', schema, description })))}
${body ? `<h4>Body</h4>${shape(body)}` : ''}
${answer ? `<h4>Response</h4>${shape(answer)}` : ''}
</section>`;
}

function shape([type, { schema }]: readonly [string, { readonly schema?: Schema }]): string {
  if (type !== 'application/json') return `<p><code>${escape(type)}</code></p>`;
  return schema?.properties ? fields(schema) : `<p>${sayType(schema)}</p>`;
}

function fields({ properties = {}, required = [] }: Schema): string {
  return table(
    Object.entries(properties).map(([name, schema]) => ({
      name,
      note: required.includes(name) ? '' : 'optional',
      schema,
      description: schema.description,
    })),
  );
}

function table(
  rows: readonly {
    readonly name: string;
    readonly note: string;
    readonly schema: Schema;
    readonly description?: string | undefined;
  }[],
): string {
  if (rows.length === 0) return '<p>nothing</p>';
  return `<div class="wide"><table>${rows.map(({ name, note, schema, description }) => `<tr><th scope="row"><code>${escape(name)}</code></th><td>${sayType(schema)}${description ? `. ${withCode(description)}` : ''}</td><td>${note}${schema.default === undefined ? '' : ` ${literal(schema.default)}`}</td></tr>`).join('')}</table></div>`;
}

/** Deeper objects are only named: other rows or schemas document their fields. */
const deepest = 2;
const maxNames = 8;

/** Describes a value's type in words. @param depth number of enclosing objects */
function sayType(schema: Schema | undefined, depth = 0): string {
  if (!schema || Object.keys(schema).length === 0) return 'anything';
  if (schema.$ref) return reference(schema.$ref);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' · ');
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return [...new Set(either.map(one => sayType(one, depth)))].join(' or ');
  if (schema.allOf) return schema.allOf.map(one => sayType(one, depth)).join(' and ');
  const types = [schema.type ?? []].flat() as readonly string[];
  return types.map(type => sayOne(type, schema, depth)).join(' or ') || 'anything';
}

function sayOne(type: string, schema: Schema, depth: number): string {
  switch (type) {
    case 'array':
      return `list${bounds(schema.minItems, schema.maxItems)} of ${sayType(schema.items, depth)}`;
    case 'object':
      return schema.properties
        ? sayObject(schema, depth)
        : typeof schema.additionalProperties === 'object'
          ? `map of ${sayType(schema.additionalProperties, depth)}`
          : 'object';
    case 'string':
      return `${schema.format === 'binary' ? 'bytes' : 'text'}${bounds(schema.minLength, schema.maxLength)}${schema.pattern ? ` like <code>${escape(schema.pattern)}</code>` : ''}`;
    case 'integer':
    case 'number':
      return `${type === 'integer' ? 'whole number' : 'number'}${bounds(schema.minimum, schema.maximum)}`;
    default:
      return escape(type);
  }
}

function sayObject({ properties = {}, required = [] }: Schema, depth: number): string {
  const names = Object.keys(properties);
  if (depth >= deepest) return 'object';
  const isPlain = names.length > maxNames;
  const said = Object.entries(properties).map(
    ([name, inner]) =>
      `<code>${escape(name)}</code>${required.includes(name) ? '' : '?'}${isPlain ? '' : `: ${sayType(inner, depth + 1)}`}`,
  );
  return `{ ${said.join(', ')} }`;
}

/** Describes bounds, except those of every integer. */
function bounds(least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY): string {
  const [low, high] = [
    Math.abs(least) < Number.MAX_SAFE_INTEGER ? least : undefined,
    Math.abs(most) < Number.MAX_SAFE_INTEGER ? most : undefined,
  ];
  const say = (bound: number) => bound.toLocaleString('en');
  return low !== undefined && high !== undefined
    ? ` (${say(low)} to ${say(high)})`
    : low !== undefined
      ? ` (${say(low)} or more)`
      : high !== undefined
        ? ` (${say(high)} at most)`
        : '';
}

function reference(ref: string): string {
  const name = escape(ref.split('/').at(-1)!);
  return `<a href="#${name}">${name}</a>`;
}

function literal(value: unknown): string {
  return `<code>${escape(JSON.stringify(value))}</code>`;
}

function badge(method: string): string {
  return `<b class="${escape(method)}">${escape(method.toUpperCase())}</b>`;
}

/** Allows line breaks before each segment of a path. */
function withBreaks(path: string): string {
  return escape(path).replaceAll('/', '<wbr>/');
}

function withCode(text: string): string {
  return escape(text).replace(/`([^`]*)`/g, '<code>$1</code>');
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}
