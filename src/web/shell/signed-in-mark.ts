const KEY = 'bursar.signed-in';

/** Remembers in this window that a person is signed in, or has signed out. Without the storage of the browser it remembers nothing. */
export function markSignedIn(isIn: boolean): void {
  try {
    if (isIn) sessionStorage.setItem(KEY, 'yes');
    else sessionStorage.removeItem(KEY);
  } catch {
    // The sign-in then gives no reason.
  }
}

/** Whether somebody was signed in here and has not signed out. */
export function wasSignedIn(): boolean {
  try {
    return sessionStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}
