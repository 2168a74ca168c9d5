// The NATS server that the tests of several processes run against: the system's own.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Path of nats-server, if there is one; NATS_SERVER names another. */
export function findNats() {
  // Debian puts it where a user's PATH does not look.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/bin']
  return [process.env.NATS_SERVER, ...folders.map((folder) => join(folder, 'nats-server'))].find(
    (path) => path && existsSync(path),
  )
}
