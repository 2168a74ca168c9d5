// Pages of areas lead to addresses of the desktop page. On a phone they are shown in its frame.
import { parseItemIdStr } from '@cloudoc/domain'
import { areas } from '../core/area/area.ts'

const desktop = '/doc/folder/'
const files = '/doc/folder/files'

/** The address of the same page below /m; undefined where there is none. */
export function mobileAddress({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string | undefined {
  if (pathname === files || pathname === '/doc/folder') return addressOfFolder(search)
  if (!pathname.startsWith(desktop)) return undefined
  const path = pathname.slice(desktop.length)
  const isOffered = areas().some(({ routes = [] }) => routes.some((route) => route.path === path))
  return isOffered ? `/m/page/${path}${search}` : undefined
}

function addressOfFolder(search: string): string {
  const written = parseItemIdStr(new URLSearchParams(search).get('itemIdStr') ?? '')
  return written?.fType === 2 ? `/m/files/${written.serverId}/${written.fId}` : '/m/index.html'
}
