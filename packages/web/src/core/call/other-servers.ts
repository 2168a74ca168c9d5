// Servers other than the main one. The page knows each by a number, while a server writes its own records with 0.
import { addServer } from './api.ts'

/** Makes a server known under this number: calls of its items are sent to `base`. */
export function setServerAddress(serverId: number, base: string): void {
  addServer(serverId, base, (data) => withServer(data, serverId))
}

/** The server number in the written ids of an item: `0-5`, `s0f5`. */
const writtenServer = /^(s?)0(?=[-f])/

/** Returns an answer with this number of the server in all records. */
function withServer(data: unknown, serverId: number): unknown {
  if (typeof data !== 'object' || data === null) return data
  if (Array.isArray(data)) return data.map((one: unknown) => withServer(one, serverId))
  const fields = Object.entries(data).map(([name, value]: [string, unknown]) => {
    if (name === 'serverId') return [name, serverId]
    const isWritten = typeof value === 'string' && /^fid$|itemIdStr$/i.test(name)
    return [name, isWritten ? value.replace(writtenServer, `$1${serverId}`) : withServer(value, serverId)]
  })
  return Object.fromEntries(fields)
}
