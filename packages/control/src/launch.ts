// Opens a file with the program that the system has for it. The path is an argument of its own, never part of a command.
import { spawn } from 'node:child_process'

const commands: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  win32: ['rundll32.exe', 'url.dll,FileProtocolHandler'],
  darwin: ['/usr/bin/open', '--'],
}

/** Opens a file; fails if the system has no way to. */
export async function launch(path: string): Promise<void> {
  const [command = '', ...before] = commands[process.platform] ?? ['xdg-open']
  const child = spawn(command, [...before, path], { detached: true, stdio: 'ignore' })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  child.once('error', reject)
  child.once('spawn', resolve)
  await promise
  child.unref()
}
