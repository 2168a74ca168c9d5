// Servers other than the main one. The page knows each by a number, while a server writes its own records with 0.
import { addServer, mainServer, type OnServer } from './api.ts'

const bases = new Map<string, number>()

/** Makes a server known under this number: calls of its items are sent to `base`. */
export function setServerAddress(serverId: number, base: string): void {
  bases.set(base, serverId)
  addServer(serverId, {
    base,
    read: (data) => withServer(data, serverId, base),
    write: (input) => withoutServer(input, serverId),
  })
}

/** The input fields that hold written ids, one or several with commas between them. */
const idField = /^(fid|around|\w*itemIdStrs?)$/i

/** Returns an input with the ids as that server writes them: its own number is 0. */
function withoutServer(input: Readonly<Record<string, unknown>>, serverId: number): Record<string, unknown> {
  const own = new RegExp(`(^|,)(s?)${serverId}(?=[-f])`, 'g')
  const fields = Object.entries(input).map(([name, value]) => {
    return [name, typeof value === 'string' && idField.test(name) ? value.replace(own, '$1$20') : value]
  })
  return Object.fromEntries(fields) as Record<string, unknown>
}

/** The server number in the written ids of an item: `0-5`, `s0f5`. */
const writtenServer = /^(s?)0(?=[-f])/

/** Returns an answer with this number of the server in all records, and with addresses that lead there. */
function withServer(data: unknown, serverId: number, base: string): unknown {
  if (typeof data !== 'object' || data === null) return data
  if (Array.isArray(data)) return data.map((one: unknown) => withServer(one, serverId, base))
  const fields = Object.entries(data).map(([name, value]: [string, unknown]) => {
    if (name === 'serverId') return [name, serverId]
    if (name === 'url' && typeof value === 'string' && value.startsWith('/')) return [name, `${base}${value}`]
    const isWritten = typeof value === 'string' && /^fid$|itemIdStr$/i.test(name)
    return [name, isWritten ? value.replace(writtenServer, `$1${serverId}`) : withServer(value, serverId, base)]
  })
  return Object.fromEntries(fields)
}

/** Returns the payload of a push of a linked server with its number in all records. */
export function readAtServer(data: unknown, { serverId }: OnServer): unknown {
  const base = [...bases].find(([, number]) => number === serverId)?.[0] ?? ''
  return { ...(withServer(data, serverId, base) as object), serverId }
}

/** Returns the server to which an address of this page leads. */
export function serverOf(address: string): OnServer {
  for (const [base, serverId] of bases) if (address.startsWith(`${base}/`)) return { serverId }
  return mainServer
}
