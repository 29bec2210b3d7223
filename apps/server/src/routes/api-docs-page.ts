interface OpenApi {
  readonly info: { readonly title: string; readonly version: string };
  readonly paths?: Readonly<Record<string, Readonly<Record<string, { readonly summary?: string; readonly operationId?: string; readonly requestBody?: unknown; readonly responses?: unknown; readonly parameters?: unknown }>>>>;
}

/** The API's documentation as one plain page: no scripts, no styles of its own but the sheet the server carries, so that the strict CSP holds. */
export function apiDocsPage(api: OpenApi): string {
  const operations = Object.entries(api.paths ?? {})
    .filter(([path]) => path.startsWith('/api/'))
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })));
  const sections = operations.map(
    ({ path, method, operation }) => `<section id="${escape(operation.operationId ?? path)}">
<h2><code>${escape(method.toUpperCase())} ${escape(path)}</code></h2>
<p>${escape(operation.summary ?? '')}</p>
${details('Parameters', operation.parameters)}${details('Request body', operation.requestBody)}${details('Answer', operation.responses)}
</section>`,
  );
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(api.info.title)} API</title><link rel="stylesheet" href="/api-docs.css"></head>
<body><main>
<h1>${escape(api.info.title)} API ${escape(api.info.version)}</h1>
<p>The same as a document for programs: <a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1). Requests that are not GET need the header <code>x-belvedere: 1</code>.</p>
<nav><ul>${operations.map(({ path, method, operation }) => `<li><a href="#${escape(operation.operationId ?? path)}"><code>${escape(method.toUpperCase())} ${escape(path)}</code></a> ${escape(operation.summary ?? '')}</li>`).join('\n')}</ul></nav>
${sections.join('\n')}
</main></body>
</html>`;
}

function details(title: string, content: unknown): string {
  return content === undefined ? '' : `<details><summary>${title}</summary><pre tabindex="0">${escape(JSON.stringify(content, null, 2))}</pre></details>`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}
