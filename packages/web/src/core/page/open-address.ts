// Opens addresses of the page from windows, which have no router of their own.
let navigate: (address: string) => void = (address) => globalThis.location.assign(address)

/** Connects the windows with the router of the page, until the returned function is called. */
export function connectRouter(by: (address: string) => void): () => void {
  navigate = by
  return () => {
    navigate = (address) => globalThis.location.assign(address)
  }
}

/** Opens an address of the page. */
export const openAddress = (address: string): void => navigate(address)
