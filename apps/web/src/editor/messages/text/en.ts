/** YAML, its history and conflicts. */
export const textEn = {
  history: {
    was: 'Selected version',
    title: 'History',
    open: 'History',
    saved: 'Saved',
    disk: 'Changed on disk',
    current: 'Current',
    compare: 'Changes from this version to the current draft',
    restore: 'Restore this version',
    same: 'No differences',
    none: 'No saved versions yet.',
    more: 'Load more',
  },
  text: {
    label: 'Dashboard YAML',
    line: (line: number, column: number) => `Line ${line}, column ${column}`,
    fix: (word: string) => `Change to ${word}`,
    problems: (count: number) => (count === 1 ? '1 error' : `${count} errors`),
    open: 'Open YAML',
    invalid: 'The YAML has an error.',
    noValidVersion: 'No valid version yet',
    noValidVersionHint:
      'The contents appear here once the errors in the YAML are fixed. Only valid versions are used.',
    leave: 'Press Escape, then Tab, to leave the editor.',
  },
  conflict: {
    title: 'Conflicting changes',
    text: 'The file changed while you were editing it. Choose a version for each conflict; both stay in the history.',
    mine: 'Your version',
    theirs: 'Other version',
    gone: 'Removed',
    done: 'Apply',
    whole: 'Whole document (YAML with errors cannot be merged in parts)',
    compare: 'Changes from the other version to yours',
    at: (path: string) => `At ${path}`,
  },
};

export type TextMessages = typeof textEn;
