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
    // The steps that may come next: 1 at their index, and at the length if all have been taken.
    let places = new Uint8Array(steps.length + 1);
    let next = new Uint8Array(steps.length + 1);
    places[0] = 1;
    addEmptyRuns(steps, places);
    for (const character of path) {
      next.fill(0);
      for (let place = 0; place < steps.length; place++) {
        if (places[place] === 0) continue;
        const step = steps[place]!;
        const { kind } = step;
        const isTaken =
          kind === 'character'
            ? step.character === character
            : kind === '**' || kind === 'in folders' || (kind !== 'folders' && character !== '/');
        if (!isTaken) continue;
        if (kind !== 'character' && kind !== '?') next[place] = 1;
        if (kind === 'character' || kind === '?' || (kind === 'in folders' && character === '/'))
          next[place + 1] = 1;
      }
      addEmptyRuns(steps, next);
      [places, next] = [next, places];
    }
    return places[steps.length] === 1;
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

/** Adds the places behind runs that may end here. Runs only lead forward, so one pass finds all. */
function addEmptyRuns(steps: readonly Step[], places: Uint8Array): void {
  for (let place = 0; place < steps.length; place++) {
    if (places[place] === 0) continue;
    const { kind } = steps[place]!;
    if (kind === '*' || kind === '**' || kind === 'folders') places[place + 1] = 1;
    if (kind === 'folders') places[place + 2] = 1;
  }
}
