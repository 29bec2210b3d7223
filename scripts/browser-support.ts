/**
 * Finds web platform features in the built pages that a browser of `browserslist` (package.json) lacks, by
 * MDN's compatibility data.
 *
 * Scripts are searched for syntax, for globals, for members of globals (`URL.parse`), and for members of
 * other values by name alone, if every member of that name is too new. A name that the scripts define
 * themselves cannot be told apart from the platform's and is skipped.
 *
 * The types of the sources cover this gap for JavaScript's own objects: `lib` in tsconfig.json contains only
 * features of the oldest of these browsers.
 */
import bcd, {
  type CompatStatement,
  type Identifier as CompatNode,
  type SimpleSupportStatement,
} from '@mdn/browser-compat-data' with { type: 'json' };
import { generate, parse as parseCss, walk as walkCss, type CssNode } from 'css-tree';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';

/** The oldest supported version of each browser, by its name in MDN's data. */
export type OldestVersions = Readonly<Record<string, number>>;

/** A used feature, the browsers without it, and where it is used. */
export interface EmptyReason {
  readonly name: string;
  /** The browser and the version that adds the feature, such as `safari 18`. */
  readonly browsers: readonly string[];
  readonly example: string;
}

/** Reads `browserslist`, which has one `BROWSER >= VERSION` per browser. */
export function oldestVersions(): OldestVersions {
  const { browserslist } = JSON.parse(
    readFileSync(path.join(import.meta.dirname, '..', 'package.json'), 'utf8'),
  ) as { browserslist: readonly string[] };
  return Object.fromEntries(
    browserslist.map(line => {
      const [name, version] = line.split(' >= ') as [string, string];
      return [name === 'ios_saf' ? 'safari_ios' : name, Number(version)];
    }),
  );
}

/**
 * Returns the first version of a browser that supports a feature without a setting; infinite if none does.
 * @param isPrefixed whether the prefixed name is used too
 */
export function firstVersion(compat: CompatStatement, browser: string, isPrefixed = false): number {
  const statements = [compat.support[browser as 'chrome'] ?? []].flat() as SimpleSupportStatement[];
  const usable = statements.filter(
    one => !one.flags && (isPrefixed || !one.prefix) && !one.alternative_name && !one.version_removed,
  );
  return Math.min(
    Infinity,
    ...usable.map(one =>
      typeof one.version_added === 'string'
        ? parseFloat(one.version_added.replace('≤', '')) || Infinity
        : Infinity,
    ),
  );
}

/** @returns the browsers without a feature, each with the version that adds it */
function browsersWithout(compat: CompatStatement, oldest: OldestVersions, isPrefixed = false): string[] {
  return Object.entries(oldest).flatMap(([browser, version]) => {
    const first = firstVersion(compat, browser, isPrefixed);
    return first <= version ? [] : [`${browser} ${first === Infinity ? 'never' : first}`];
  });
}

/** Returns a feature by its path in MDN's data, such as `api.URL.parse_static`. */
export function featureAt(place: string): CompatStatement | undefined {
  return place
    .split('.')
    .reduce<CompatNode | undefined>((node, name) => node?.[name], bcd as unknown as CompatNode)?.__compat;
}

/** All properties of interfaces and built-in objects by name, separate from globals. */
const { globals, members } = indexFeatures();

function indexFeatures() {
  const byName = {
    globals: new Map<string, CompatStatement[]>(),
    members: new Map<string, CompatStatement[]>(),
  };
  const add = (index: Map<string, CompatStatement[]>, name: string, { __compat }: CompatNode) => {
    if (__compat) index.set(name, [...(index.get(name) ?? []), __compat]);
  };
  const addObject = (name: string, object: CompatNode) => {
    add(byName.globals, name, object);
    for (const [key, member] of childrenOf(object))
      if (!/_event$|^@@/.test(key)) add(byName.members, key.replace(/_static$/, ''), member);
  };
  for (const [name, object] of [...childrenOf(bcd.api), ...childrenOf(bcd.javascript.builtins!)])
    addObject(name, object);
  for (const [name, object] of childrenOf(bcd.javascript.builtins!['Intl']!))
    addObject(`Intl.${name}`, object);
  for (const [name, member] of childrenOf(bcd.api['Window']!))
    if (!name.endsWith('_event')) add(byName.globals, name, member);
  return byName;
}

function childrenOf(node: CompatNode): [string, CompatNode][] {
  return Object.entries(node).filter(([key]) => key !== '__compat') as [string, CompatNode][];
}

/** Global objects, and the interfaces of each. */
const interfacesOf: Readonly<Record<string, readonly string[]>> = {
  document: ['Document', 'Node', 'EventTarget'],
  navigator: ['Navigator'],
  location: ['Location'],
  performance: ['Performance'],
  history: ['History'],
  crypto: ['Crypto'],
};

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** Recent syntax: how it appears in a syntax tree, and its path in MDN's data. */
const syntax: readonly (readonly [string, (node: Node) => boolean])[] = [
  ['javascript.statements.using', node => node.type === 'VariableDeclaration' && node['kind'] === 'using'],
  [
    'javascript.statements.await_using',
    node => node.type === 'VariableDeclaration' && node['kind'] === 'await using',
  ],
  ['javascript.statements.import.import_attributes', node => node.type === 'ImportAttribute'],
  ['javascript.classes.static.initialization_blocks', node => node.type === 'StaticBlock'],
  ['javascript.operators.nullish_coalescing_assignment', node => node['operator'] === '??='],
  ['javascript.statements.for_await_of', node => node.type === 'ForOfStatement' && node['await'] === true],
  ['javascript.builtins.RegExp.unicodeSets', node => /v/.test(regexOf(node)?.flags ?? '')],
  ['javascript.builtins.RegExp.hasIndices', node => /d/.test(regexOf(node)?.flags ?? '')],
  [
    'javascript.regular_expressions.modifier',
    node => /\(\?[ims]*-?[ims]+:/.test(regexOf(node)?.pattern ?? ''),
  ],
  [
    'javascript.regular_expressions.lookbehind_assertion',
    node => /\(\?<[=!]/.test(regexOf(node)?.pattern ?? ''),
  ],
  [
    'javascript.regular_expressions.named_capturing_group.duplicate_named_capturing_groups',
    node => hasRepeatedNames(regexOf(node)?.pattern ?? ''),
  ],
];

function regexOf(node: Node): { readonly pattern: string; readonly flags: string } | undefined {
  return node['regex'] as { readonly pattern: string; readonly flags: string } | undefined;
}

function hasRepeatedNames(pattern: string): boolean {
  const names = Array.from(pattern.matchAll(/\(\?<([A-Za-z]\w*)>/g), ([, name]) => name);
  return new Set(names).size < names.length;
}

/** Methods that chains such as `map.values().map(…)` call on the iterator returned by the first call. */
const iteratorHelpers = new Set(
  Object.keys(bcd.javascript.builtins!['Iterator']!).filter(name => !/^__|^@@|^Iterator$/.test(name)),
);
const returnsIterator = /^(values|keys|entries|matchAll)$/;

/** Returns the features in scripts that one of the browsers lacks, each name once. */
export function lackingInScripts(texts: readonly string[], oldest: OldestVersions): EmptyReason[] {
  const used = new Map<
    string,
    { readonly features: readonly (CompatStatement | undefined)[]; readonly example: string }
  >();
  const defined = new Set<string>();
  for (const text of texts) {
    const declared = new Set<string>();
    const globalsUsed: [name: string, at: Node][] = [];
    const ofGlobals: [owner: string, name: string, at: Node][] = [];
    const around = ({ start, end }: Node) =>
      text.slice(Math.max(0, start - 30), end + 30).replace(/\s+/g, ' ');
    const use = (name: string, features: readonly (CompatStatement | undefined)[], node: Node) => {
      if (!used.has(name)) used.set(name, { features, example: around(node) });
    };
    eachNode(parseSync('page.js', text).program as unknown as Node, (node, parent, key) => {
      for (const [place, matches] of syntax) if (matches(node)) use(place, [featureAt(place)], node);
      const definition = definedBy(node);
      if (definition !== undefined) defined.add(definition);
      for (const name of declaredBy(node)) declared.add(name);
      if (node.type === 'MemberExpression' && !node['computed']) {
        const { object, property } = node as unknown as { readonly object: Node; readonly property: Node };
        const name = property['name'] as string;
        const owner = object.type === 'Identifier' ? (object['name'] as string) : '';
        if (globals.has(owner) && memberOf(owner, name).length > 0) ofGlobals.push([owner, name, node]);
        else use(`.${name}`, members.get(name) ?? [], node);
        if (iteratorHelpers.has(name) && isIteratorCall(object))
          use(`Iterator.${name}`, [featureAt(`javascript.builtins.Iterator.${name}`)], node);
      }
      const name = node['name'] as string;
      if (node.type === 'Identifier' && globals.has(name) && !isPropertyName(parent, key))
        globalsUsed.push([name, node]);
    });
    for (const [name, at] of globalsUsed) if (!declared.has(name)) use(name, globals.get(name)!, at);
    for (const [owner, name, at] of ofGlobals)
      if (!declared.has(owner)) use(`${owner}.${name}`, memberOf(owner, name), at);
  }
  return [...used]
    .flatMap(([name, { features, example }]) => {
      const known = features.filter(feature => feature !== undefined);
      if (name.startsWith('.') && defined.has(name.slice(1))) return [];
      const browsers = known.map(feature => browsersWithout(feature, oldest));
      return known.length > 0 && browsers.every(some => some.length > 0)
        ? [{ name, browsers: [...new Set(browsers.flat())], example }]
        : [];
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** @param key the property of `parent` that holds the node */
function eachNode(root: Node, visit: (node: Node, parent: Node, key: string) => void): void {
  const walk = (node: Node, parent: Node, at: string) => {
    visit(node, parent, at);
    for (const [key, child] of Object.entries(node)) {
      if (key === 'parent' || typeof child !== 'object' || child === null) continue;
      for (const one of Array.isArray(child) ? (child as unknown[]) : [child])
        if (typeof (one as Node | null)?.type === 'string') walk(one as Node, node, key);
    }
  };
  walk(root, root, '');
}

/** Returns the name of a property that a node defines in the scripts. */
function definedBy(node: Node): string | undefined {
  if (isKeyed(node) && !node['computed'])
    return ((node['key'] as Node)['name'] ?? (node['key'] as Node)['value']) as string;
  const left = node.type === 'AssignmentExpression' ? (node['left'] as Node) : undefined;
  return left?.type === 'MemberExpression' && !left['computed']
    ? ((left['property'] as Node)['name'] as string)
    : undefined;
}

const isKeyed = ({ type }: Node) => /^(Property|MethodDefinition|PropertyDefinition)$/.test(type);

function isPropertyName(parent: Node, key: string): boolean {
  if (parent['computed']) return false;
  return (parent.type === 'MemberExpression' && key === 'property') || (isKeyed(parent) && key === 'key');
}

/** Returns the names that a variable, function, class, import or `catch` declares. */
function declaredBy(node: Node): string[] {
  if (node.type === 'VariableDeclarator') return namesIn(node['id'] as Node);
  if (/Function|Class/.test(node.type))
    return [node['id'] as Node | null, ...((node['params'] ?? []) as Node[])].flatMap(one =>
      one ? namesIn(one) : [],
    );
  if (/^Import.*Specifier$/.test(node.type)) return namesIn(node['local'] as Node);
  return node.type === 'CatchClause' && node['param'] ? namesIn(node['param'] as Node) : [];
}

function namesIn(pattern: Node): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern['name'] as string];
    case 'ObjectPattern':
      return (pattern['properties'] as Node[]).flatMap(property =>
        namesIn((property['value'] ?? property['argument']) as Node),
      );
    case 'ArrayPattern':
      return (pattern['elements'] as (Node | null)[]).flatMap(element => (element ? namesIn(element) : []));
    case 'AssignmentPattern':
      return namesIn(pattern['left'] as Node);
    case 'RestElement':
      return namesIn(pattern['argument'] as Node);
    default:
      return [];
  }
}

function memberOf(owner: string, name: string): readonly (CompatStatement | undefined)[] {
  const places = [
    `javascript.builtins.${owner}.${name}`,
    `api.${owner}.${name}_static`,
    ...(interfacesOf[owner] ?? []).map(one => `api.${one}.${name}`),
    ...(/^(window|self|globalThis)$/.test(owner)
      ? [`api.Window.${name}`, `api.${name}`, `javascript.builtins.${name}`]
      : []),
  ];
  return places.map(featureAt).filter(feature => feature !== undefined);
}

/**
 * Whether a node calls `values`, `keys`, `entries` or `matchAll` on a value. `Object.values(…)` returns an
 * array.
 */
function isIteratorCall(node: Node): boolean {
  const callee = node['callee'] as Node | undefined;
  if (node.type !== 'CallExpression' || callee?.type !== 'MemberExpression') return false;
  return (
    returnsIterator.test((callee['property'] as Node)['name'] as string) &&
    (callee['object'] as Node)['name'] !== 'Object'
  );
}

/**
 * Returns the features in style sheets, outside `@supports`, that one of the browsers lacks, each name once.
 */
export function lackingInStyles(texts: readonly string[], oldest: OldestVersions): EmptyReason[] {
  const found = new Map<string, EmptyReason>();
  const check = (
    name: string,
    features: readonly (CompatStatement | undefined)[],
    node: CssNode,
    isPrefixed = false,
  ) => {
    const browsers = features
      .filter(feature => feature !== undefined)
      .map(feature => browsersWithout(feature, oldest, isPrefixed));
    if (browsers.length > 0 && browsers.every(some => some.length > 0))
      found.set(name, {
        name,
        browsers: [...new Set(browsers.flat())],
        example: generate(node).slice(0, 120),
      });
  };
  for (const text of texts) {
    let guards = 0;
    walkCss(parseCss(text), {
      enter(node: CssNode) {
        if (node.type === 'Atrule' && node.name === 'supports') guards++;
        if (guards > 0) return;
        if (node.type === 'Atrule') check(`@${node.name}`, [featureAt(`css.at-rules.${node.name}`)], node);
        if (node.type === 'Feature')
          check(
            `(${node.name})`,
            [featureAt(`css.at-rules.media.${node.name.replace(/^(min|max)-/, '')}`)],
            node,
          );
        if (node.type === 'Declaration') {
          const property = `css.properties.${node.property}`;
          const isPrefixed = text.includes(`-webkit-${node.property}:`);
          check(node.property, [featureAt(property)], node, isPrefixed);
          walkCss(node.value, value => {
            if (value.type === 'Identifier' && !isPrefixed)
              check(`${node.property}: ${value.name}`, [featureAt(`${property}.${value.name}`)], node);
          });
        }
        if (node.type === 'Function') check(`${node.name}()`, cssFunctions.get(node.name) ?? [], node);
        if (node.type === 'PseudoClassSelector' || node.type === 'PseudoElementSelector')
          check(`:${node.name}`, [featureAt(`css.selectors.${node.name}`)], node);
        if (node.type === 'NestingSelector') check('&', [featureAt('css.selectors.nesting')], node);
        if (node.type === 'Dimension' && /^[dsl]v(h|w|min|max|b|i)$/.test(node.unit))
          check(node.unit, [featureAt('css.types.length.viewport_percentage_units_dynamic')], node);
      },
      leave(node: CssNode) {
        if (node.type === 'Atrule' && node.name === 'supports') guards--;
      },
    });
  }
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const cssFunctions = new Map<string, CompatStatement[]>();
indexCssFunctions(bcd.css.types as CompatNode);

function indexCssFunctions(node: CompatNode): void {
  for (const [name, child] of childrenOf(node)) {
    if (child.__compat) cssFunctions.set(name, [...(cssFunctions.get(name) ?? []), child.__compat]);
    indexCssFunctions(child);
  }
}
