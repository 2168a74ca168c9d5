// Opens addresses from windows, which have no router of their own.
let currentNavigate: (path: string) => void = () => undefined

/** Sets the function that navigates to an address. Returns a function that removes it. */
export function setNavigate(navigate: (path: string) => void): () => void {
  currentNavigate = navigate
  return () => {
    currentNavigate = () => undefined
  }
}

/** Navigates to a page. */
export const navigateTo = (path: string): void => currentNavigate(path)
