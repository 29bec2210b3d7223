import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';
import { describe, expect, test } from 'vitest';
import {
  featureAt,
  firstVersion,
  lackingInScripts,
  lackingInStyles,
  oldestVersions,
} from './browser-support.ts';

const root = path.join(import.meta.dirname, '..');
const pages = path.join(root, 'apps', 'web', 'dist');
const files = readdirSync(pages, { recursive: true }).map(String);
const texts = (ending: RegExp) =>
  files.filter(file => ending.test(file)).map(file => readFileSync(path.join(pages, file), 'utf8'));
const oldest = oldestVersions();

/**
 * What scripts use although a supported browser lacks it: only where it is there, unless something else is
 * said.
 */
const allowedInScripts: Readonly<Record<string, string>> = {
  '.toHex Uint8Array.fromHex':
    '@noble/hashes tests for both, and has loops of its own for browsers without them',
  '.brands .userAgentData': 'React Aria: told apart from Chrome by its user agent elsewhere',
  '.canIntercept .currentEntry .transition navigation':
    'React’s own indicator of a navigation, where `navigation` is an object',
  '.downlink navigator.connection': 'React: how long a stylesheet may take, where the connection is known',
  '.div': 'React Aria’s `dom.div`, no MathML',
  '.fromElement .prevValue': 'React and CodeMirror: events of old browsers',
  '.getComposedRanges': 'CodeMirror: Safari alone needs it, and has it',
  '.getTextFormats .rangeEnd .rangeStart .underlineStyle .underlineThickness .updateCharacterBounds .updateRangeEnd .updateRangeStart .updateSelectionBounds .updateText window.EditContext':
    'CodeMirror: Chrome on Android alone',
  '.getTextInfo .getWeekInfo': 'the direction and the week of a locale are known without them',
  '.handle': 'a `data-handle` of our own',
  '.isInputPending .timeRemaining cancelIdleCallback navigator.scheduling requestIdleCallback':
    'CodeMirror: a timer elsewhere',
  '.popover': 'React: an attribute it knows the name of',
  '.skipTransition .updateCallbackDone document.startViewTransition':
    'React and the router: none is asked for',
  'AbortSignal.timeout': 'Chrome before 124 gives another name to its error, which nobody reads',
  'Error.captureStackTrace': 'Zod: an error without its own frames',
  'location.ancestorOrigins': 'a frame without a script; other browsers tell the site by the referrer',
  'PublicKeyCredential.getClientCapabilities':
    'SimpleWebAuthn: where there is none, it asks for the one capability it needs',
  'navigator.wakeLock': 'presentation mode: the screen may go dark',
  setImmediate: 'React’s scheduler: in Node alone',
};

const allowedInStyles: Readonly<Record<string, string>> = {
  ':-webkit-search-cancel-button': 'hides a button that only browsers with it draw',
  '-webkit-tap-highlight-color :-webkit-inner-spin-button':
    'Tailwind: evens out what these browsers alone do',
  '@page size': 'paper lies down by the reader’s own setting',
  'accent-color': 'a colour, no matter of reading',
  ':-moz-color-swatch': 'Firefox’s name for the swatch that other browsers call `::-webkit-color-swatch`',
  'align-items justify-content': '`safe center` stands after `center`',
  'cursor resize': 'iOS has neither a pointer nor anything to resize text fields by',
  'font-family': '`ui-monospace` stands before fonts that are everywhere',
  'scrollbar-width':
    'without it, tabs that do not fit have a scrollbar, as in Safari before 18.2 with a mouse',
};

const isAllowed =
  (allowed: object) =>
  ({ name }: { readonly name: string }) =>
    Object.keys(allowed).some(names => names.split(' ').includes(name.replace(/: .*/, '')));
const unused = (allowed: object, found: readonly { readonly name: string }[]) =>
  Object.keys(allowed)
    .flatMap(names => names.split(' '))
    .filter(name => !found.some(one => one.name.replace(/: .*/, '') === name));

describe('the built pages use no feature that a supported browser lacks', () => {
  test('in scripts, in their page and in the exported one', () => {
    const inPages = texts(/index\.html$/).flatMap(html =>
      Array.from(html.matchAll(/<script>(.*?)<\/script>/gs), ([, script]) => script!),
    );
    const scripts = texts(/\.js$/);
    expect([inPages.length, files.includes(path.join('offline', 'offline.js'))]).toEqual([2, true]);
    const found = lackingInScripts([...inPages, ...scripts], oldest);
    expect(found.filter(one => !isAllowed(allowedInScripts)(one))).toEqual([]);
    expect(unused(allowedInScripts, found)).toEqual([]);
  });

  test('in style sheets', () => {
    const found = lackingInStyles(texts(/\.css$/), oldest);
    expect(found.filter(one => !isAllowed(allowedInStyles)(one))).toEqual([]);
    expect(unused(allowedInStyles, found)).toEqual([]);
  });
});

describe('a feature that is too new is found', () => {
  test.each([
    ['const url = URL.parse(text);', ['URL.parse']],
    [
      'window.requestIdleCallback(work); requestIdleCallback(work);',
      ['requestIdleCallback', 'window.requestIdleCallback'],
    ],
    ['await Promise.try(work);', ['Promise.try']],
    ['RegExp.escape(text); Uint8Array.fromBase64(text);', ['RegExp.escape', 'Uint8Array.fromBase64']],
    ['bytes.toBase64();', ['.toBase64']],
    ['map.values().map(one => one.size);', ['Iterator.map']],
    ['/(?i:a)b/.test(text);', ['javascript.regular_expressions.modifier']],
    ['{ using file = open(); }', ['javascript.statements.using']],
    ['scheduler.yield();', ['.yield', 'scheduler']],
    ['document.caretPositionFromPoint(0, 0);', ['document.caretPositionFromPoint']],
  ])('in the script %s', (script, names) => {
    expect(lackingInScripts([script], oldest).map(one => one.name)).toEqual(names);
  });

  test.each([
    'Object.values(map).map(one => one.size); list.map(f);',
    'navigator.locks.request(name, work);',
    'const { withResolvers } = Promise;',
    'const scheduler = make(); scheduler.postTask = work;',
    'class Bytes { toBase64() {} } bytes.toBase64();',
  ])('and nothing else: %s', script => {
    expect(lackingInScripts([script], oldest)).toEqual([]);
  });

  test.each([
    ['p { field-sizing: content }', ['field-sizing', 'field-sizing: content']],
    ['p { text-wrap: pretty }', ['text-wrap: pretty']],
    ['p { anchor-name: --a; position-area: top }', ['anchor-name', 'position-area', 'position-area: top']],
    ['@starting-style { p { opacity: 0 } }', ['@starting-style']],
    ['p { width: calc-size(auto, size) }', ['calc-size()']],
    [
      'p { -webkit-user-select: none; user-select: none; color: color-mix(in oklab, red, blue) } p:has(a) { & b { height: 10dvh } }',
      [],
    ],
    ['@supports (field-sizing: content) { p { field-sizing: content } }', []],
  ])('in the style sheet %s', (style, names) => {
    expect(lackingInStyles([style], oldest).map(one => one.name)).toEqual(names);
  });
});

describe('the notice for older browsers', () => {
  const script = readFileSync(path.join(root, 'apps', 'web', 'public', 'old-browser.js'), 'utf8');

  test('covers every version below the supported ones', () => {
    const features = [
      'javascript.builtins.Promise.withResolvers',
      'javascript.builtins.Set.union',
      'api.CSSPropertyRule',
    ];
    for (const feature of features)
      expect(script).toContain(feature.replace(/^.*\.(?=\w+\.\w+$)/, '').replace(/^Set\.|^api\./, ''));
    const versions = Object.keys(oldest).map(browser => [
      browser,
      Math.max(...features.map(feature => firstVersion(featureAt(feature)!, browser))),
    ]);
    expect(Object.fromEntries(versions)).toEqual(oldest);
  });

  test('uses a language level that the oldest browsers support', () => {
    const young =
      /^(ArrowFunctionExpression|TemplateLiteral|Class\w+|ForOfStatement|SpreadElement|RestElement|ObjectPattern|ArrayPattern|AssignmentPattern|ChainExpression|AwaitExpression|ImportDeclaration)$/;
    const found: string[] = [];
    JSON.stringify(parseSync('old-browser.js', script).program, (key, value: unknown) => {
      if (key === 'type' && typeof value === 'string' && young.test(value)) found.push(value);
      if (key === 'kind' && (value === 'let' || value === 'const')) found.push(value);
      return value;
    });
    expect(found).toEqual([]);
  });

  test('names the supported versions in each language, as the README does', () => {
    const versions = [oldest['chrome'], oldest['firefox'], oldest['safari']].map(String);
    expect([oldest['edge'], oldest['safari_ios']]).toEqual([oldest['chrome'], oldest['safari']]);
    const notices = Array.from(script.matchAll(/^ {4}\w\w: \[(.*)\],$/gm), ([, notice]) => notice!);
    expect(notices.length).toBe(3);
    for (const text of [...notices, readFileSync(path.join(root, 'README.md'), 'utf8')]) {
      for (const version of versions) expect(text).toContain(version);
    }
  });
});
