/**
 * The engine's error message without advice on settings, SQL and error class names. Paths are not redacted
 * yet.
 */
export function importErrorText(error: Error): string {
  const [first = ''] = error.message.split('\n\n');
  if (/^Out of Memory Error|failed to (allocate|pin) /i.test(first)) return outOfMemory;
  const lines = first
    .split('\n')
    .filter(line => !/^\s*(LINE \d+:|\^|Possible solutions|Try |Candidate )/.test(line));
  return lines
    .slice(0, 3)
    .join(' ')
    .replace(/\s*(Possible solutions|Hint|Try setting)\b.*$/s, '')
    .replace(
      /^(Invalid Input|Invalid|IO|Binder|Parser|Conversion|Serialization|Not implemented|TransactionContext|Catalog|INTERNAL|FATAL) Error: /,
      '',
    )
    .slice(0, 600);
}

const outOfMemory =
  'This import needs more memory than the limit. Split the file, or increase the memory limit.';
