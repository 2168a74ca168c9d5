// Small settings that outlive the page. If the browser refuses storage (private windows, policies), nothing is stored.

/** The storage area: permanent in the browser, or until the tab closes. */
type Area = 'local' | 'session'

const areas = { local: () => localStorage, session: () => sessionStorage } as const

/** The value stored under this key, if any. */
export function stored(key: string, area: Area = 'local'): string | undefined {
  try {
    return areas[area]().getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

/** Stores a text under this key; undefined removes it. */
export function store(key: string, value: string | undefined, area: Area = 'local'): void {
  try {
    if (value === undefined) areas[area]().removeItem(key)
    else areas[area]().setItem(key, value)
  } catch {
    // Nothing is stored.
  }
}
