/*
 * Turns of the frames on a page. Browsers have Web Locks on pages over HTTPS and on `localhost` only; on others,
 * frames ask the page around them.
 */

/** A frame that hangs holds up the others no longer than this. */
const longestTurnMs = 1000;

interface Turn {
  /** Whose turn it is: equal for all turns of a frame. */
  readonly frame: object;
  readonly id: number;
  readonly begin: () => void;
}

/** The turns of one name, in their order: the first has begun. */
const lines = new Map<string, readonly Turn[]>();

/** Begins a turn once those before it in the line are over. */
export function takeTurn(line: string, turn: Turn): void {
  const before = lines.get(line) ?? [];
  lines.set(line, [...before, turn]);
  if (before.length === 0) begin(line, turn);
}

/** Ends a turn of a frame, or gives it up. */
export function endTurn(line: string, { frame, id }: Pick<Turn, 'frame' | 'id'>): void {
  leave(line, one => one.frame === frame && one.id === id);
}

/** Ends all turns of a frame that is gone. */
export function endTurns(frame: object): void {
  for (const line of lines.keys()) leave(line, one => one.frame === frame);
}

function begin(line: string, turn: Turn): void {
  // Not by its number: a frame that was loaded again begins at 1.
  setTimeout(() => leave(line, one => one === turn), longestTurnMs);
  turn.begin();
}

function leave(line: string, leaves: (turn: Turn) => boolean): void {
  const before = lines.get(line) ?? [];
  const after = before.filter(turn => !leaves(turn));
  const [first] = after;
  if (first) lines.set(line, after);
  else lines.delete(line);
  if (first && first !== before[0]) begin(line, first);
}
