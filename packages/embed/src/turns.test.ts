import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { endTurn, endTurns, takeTurn } from './turns.ts';

const [whole, tile] = [{ name: 'whole' }, { name: 'tile' }];
let begun: string[];
const take = (line: string, frame: { readonly name: string }, id: number) =>
  takeTurn(line, { frame, id, begin: () => begun.push(`${line} ${frame.name} ${id}`) });

beforeEach(() => {
  vi.useFakeTimers();
  begun = [];
});
afterEach(() => {
  endTurns(whole);
  endTurns(tile);
  vi.useRealTimers();
});

describe('turns of frames', () => {
  test('begin one after the other, in the order in which they were asked for', () => {
    take('a', whole, 1);
    take('a', tile, 1);
    take('a', whole, 2);
    expect(begun).toEqual(['a whole 1']);
    endTurn('a', { frame: whole, id: 1 });
    endTurn('a', { frame: tile, id: 1 });
    expect(begun).toEqual(['a whole 1', 'a tile 1', 'a whole 2']);
  });

  test('of another server or another name do not wait', () => {
    take('a', whole, 1);
    take('b', tile, 1);
    expect(begun).toEqual(['a whole 1', 'b tile 1']);
  });

  test('that are given up never begin', () => {
    take('a', whole, 1);
    take('a', tile, 1);
    take('a', whole, 2);
    endTurn('a', { frame: tile, id: 1 });
    endTurn('a', { frame: whole, id: 1 });
    expect(begun).toEqual(['a whole 1', 'a whole 2']);
  });

  test('of a frame that was loaded again have a second of their own', () => {
    take('a', whole, 1);
    vi.advanceTimersByTime(600);
    endTurns(whole);
    take('a', whole, 1);
    take('a', tile, 1);
    vi.advanceTimersByTime(600);
    expect(begun).toEqual(['a whole 1', 'a whole 1']);
    vi.advanceTimersByTime(400);
    expect(begun).toEqual(['a whole 1', 'a whole 1', 'a tile 1']);
  });

  test('end after a second if a frame hangs, and with a frame that is gone', () => {
    take('a', whole, 1);
    take('a', tile, 1);
    take('a', whole, 2);
    vi.advanceTimersByTime(1000);
    expect(begun).toEqual(['a whole 1', 'a tile 1']);
    endTurns(tile);
    expect(begun).toEqual(['a whole 1', 'a tile 1', 'a whole 2']);
  });
});
