/** `folders` and `in folders` together are `**` with a slash: nothing, or any characters up to a slash. */
type Step =
  | { readonly kind: 'character'; readonly character: string }
  | { readonly kind: '?' | '*' | '**' | 'folders' | 'in folders' };

/**
 * Returns whether paths match a pattern: `*` stands for any characters within a name, `?` for a single one, `**`
 * for any characters, with a slash behind it for any folders or none.
 * The time is proportional to pattern and path. A folder from elsewhere brings both, and a regular expression
 * would try all ways to divide a name among the stars.
 */
export function matcherOf(pattern: string): (path: string) => boolean {
  const steps = stepsOf(pattern);
  return path => {
    // The steps that may come next.
    let places = withEmptyRuns(steps, new Set([0]));
    for (const character of path) {
      const next = new Set<number>();
      for (const place of places) {
        const step = steps[place];
        if (step === undefined) continue;
        const { kind } = step;
        const isTaken =
          kind === 'character'
            ? step.character === character
            : kind === '**' || kind === 'in folders' || (kind !== 'folders' && character !== '/');
        if (!isTaken) continue;
        if (kind !== 'character' && kind !== '?') next.add(place);
        if (kind === 'character' || kind === '?' || (kind === 'in folders' && character === '/'))
          next.add(place + 1);
      }
      places = withEmptyRuns(steps, next);
    }
    return places.has(steps.length);
  };
}

function stepsOf(pattern: string): Step[] {
  return (pattern.match(/\*\*\/|\*\*|[^]/gu) ?? []).flatMap((part): Step[] => {
    if (part === '**/') return [{ kind: 'folders' }, { kind: 'in folders' }];
    return [
      part === '?' || part === '*' || part === '**' ? { kind: part } : { kind: 'character', character: part },
    ];
  });
}

/** Adds the places behind runs that may end here. */
function withEmptyRuns(steps: readonly Step[], places: Set<number>): Set<number> {
  // The iteration includes places that are added meanwhile.
  for (const place of places) {
    const kind = steps[place]?.kind;
    if (kind === '*' || kind === '**' || kind === 'folders') places.add(place + 1);
    if (kind === 'folders') places.add(place + 2);
  }
  return places;
}
