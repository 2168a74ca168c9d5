// Small choices that outlive the page. Browsers may refuse storage (private windows, policies): then nothing is kept.

/** What was kept under this key, if anything. */
export function stored(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

/** Keeps a text under this key; undefined forgets it. */
export function store(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // Nothing is kept.
  }
}
