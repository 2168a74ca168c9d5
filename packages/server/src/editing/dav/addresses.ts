// Addresses of WebDAV: the names of a path, and back.

/** The folder under which WebDAV is served. */
export const davRoot = '/dav'

/**
 * The names of an address, each decoded once. Undefined if the address is not well-formed UTF-8, or a name contains a
 * slash, NUL, or is `.` or `..`.
 */
export function namesOf(url: string): readonly string[] | undefined {
  const path = url.split(/[?#]/, 1)[0] ?? ''
  if (path !== davRoot && !path.startsWith(`${davRoot}/`)) return undefined
  try {
    const names = path
      .slice(davRoot.length)
      .split('/')
      .filter((name) => name !== '')
      .map((name) => decodeURIComponent(name))
    return names.some((name) => /[/\0]/.test(name) || name === '.' || name === '..') ? undefined : names
  } catch {
    return undefined
  }
}

/** The address of names, with a slash at its end for folders. */
export function hrefOf(names: readonly string[], isFolder: boolean): string {
  const path = names
    .map((name) =>
      encodeURIComponent(name).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`),
    )
    .join('/')
  return path === '' ? `${davRoot}/` : `${davRoot}/${path}${isFolder ? '/' : ''}`
}

/**
 * The names that a Destination header leads to. Its path decides; a host must be one of this server's, while scheme and
 * port are ignored, because proxies change them. `foreign` for another host, undefined if it is malformed.
 */
export function destinationOf(header: string, hosts: ReadonlySet<string>): readonly string[] | 'foreign' | undefined {
  if (header.startsWith('/')) return namesOf(header)
  const match = /^https?:\/\/([^/?#]*)(\/[^?#]*)$/i.exec(header)
  if (match === null) return undefined
  const [, authority = '', path = ''] = match
  return hosts.has(hostName(authority)) ? namesOf(path) : 'foreign'
}

/** The name of a host without user, port and case. */
export function hostName(authority: string): string {
  return authority.replace(/^.*@/, '').replace(/:\d*$/, '').toLowerCase()
}
