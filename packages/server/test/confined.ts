import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'

const EVERY_ID = '0 0 4294967295'

/**
 * Spawns a command as root where no user namespace can be created: inside a namespace that maps every id to itself and
 * whose limit of further namespaces is zero. Only root can call it. Standard input is not available to the command.
 */
export async function spawnWithoutNamespaces(
  command: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env'> = {},
): Promise<ChildProcess> {
  // The first shell waits until the id mapping is set up: only a program started after that has root's capabilities.
  const limit = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@" < /dev/null'
  const child = spawn(
    'unshare',
    ['--user', '--', 'sh', '-c', 'echo unshared; read _; exec sh -c "$0" sh "$@"', limit, command, ...args],
    { ...options, stdio: 'pipe' },
  )
  await once(child.stdout, 'data')
  await writeFile(`/proc/${child.pid}/uid_map`, EVERY_ID)
  await writeFile(`/proc/${child.pid}/gid_map`, EVERY_ID)
  child.stdin.write('\n')
  return child
}
