const userKey = 'belvedere-user';
/** Unsent drafts, and SQL with its history. */
const ownKeys = /^belvedere-(draft|sql-history|sql-text):/;

/** Removes from this browser what a user wrote in it. */
export function forgetOwnData(): void {
  try {
    for (const key of Object.keys(localStorage).filter(one => ownKeys.test(one)))
      localStorage.removeItem(key);
    localStorage.removeItem(userKey);
  } catch {
    // Storage is forbidden, so that nothing is in it.
  }
}

/** Keeps one user's data from the next one who signs in in this browser. */
export function keepOwnData(user: string): void {
  try {
    const before = localStorage.getItem(userKey);
    if (before !== null && before !== user) forgetOwnData();
    localStorage.setItem(userKey, user);
  } catch {
    // As above.
  }
}
