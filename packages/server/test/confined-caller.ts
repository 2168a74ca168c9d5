// Runs a confined program that never ends, and prints its process id.
import { readdirSync, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { runConfined } from '../src/core/confined/confined.ts'

const [program = ''] = process.argv.slice(2)
const limits = { wallMs: 600_000, cpuSeconds: 600, heapMb: 64, otherMb: 64, outputBytes: 100 }
void runConfined({ program, args: ['turning'], input: Readable.from([]), limits })
const looking = setInterval(() => {
  const found = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && isWorking(pid))
  if (found.length === 0) return
  process.stdout.write(`it runs as ${found[0]}\n`)
  clearInterval(looking)
}, 50)

/**
 * Whether a process is the program itself, not the shell that starts it, in the session of one of our child processes.
 */
function isWorking(pid: string): boolean {
  try {
    const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    const leader = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[4] ?? ''
    const parent = /\nPPid:\t(\d+)\n/.exec(readFileSync(`/proc/${leader}/status`, 'utf8'))?.[1]
    return line[0] === process.execPath && line.includes('turning') && parent === String(process.pid)
  } catch {
    // The process has ended meanwhile.
    return false
  }
}
