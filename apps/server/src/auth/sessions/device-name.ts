const browsers: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/Edg\w*\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];

const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** Returns the browser and system of a `user-agent` header, such as `Firefox, Linux`; empty if unknown. */
export function deviceName(userAgent: string): string {
  return [browsers, systems]
    .map(known => known.find(([pattern]) => pattern.test(userAgent))?.[1])
    .filter(name => name !== undefined)
    .join(', ');
}
