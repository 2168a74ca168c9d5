// Small choices that outlive the page. Browsers may refuse storage (private windows, policies): then nothing is kept.

/** Where it is kept: in the browser until it is removed, or as long as the tab is there. */
type Area = 'local' | 'session'

const areas = { local: () => localStorage, session: () => sessionStorage } as const

/** What was kept under this key, if anything. */
export function stored(key: string, area: Area = 'local'): string | undefined {
  try {
    return areas[area]().getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

/** Keeps a text under this key; undefined forgets it. */
export function store(key: string, value: string | undefined, area: Area = 'local'): void {
  try {
    if (value === undefined) areas[area]().removeItem(key)
    else areas[area]().setItem(key, value)
  } catch {
    // Nothing is kept.
  }
}
