// Child processes of the runner: forwards signals and exit codes in one module.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname } from 'node:path'
import { innerNode } from './platform.mjs'
import { serverEnvironment, serverFlags } from './server-process.mjs'

/** The server guarantees to stop within 5 s plus its configured delays; after this time it is killed. */
const PATIENCE_MS = 8_000 + 1000 * (told('stop-delay', 'STOP_DELAY') + told('stop-transfers', 'STOP_TRANSFERS'))
const PARENT_CHECK_MS = 250

const children = new Set()
let stopSignal

// A child leads its own process group. A terminal sends Ctrl+C to the whole group, and npm sends it once more; this way
// it reaches the child exactly once.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal))

// A signal sent to npm alone ends the shell between npm and this process, and never reaches this process; a killed npm
// leaves that shell alive.
if (process.env.npm_lifecycle_event) {
  const above = () => `${process.ppid} ${npmAboveShell(process.ppid)}`
  const first = above()
  setInterval(() => above() === first || stop('SIGTERM'), PARENT_CHECK_MS).unref()
}

/**
 * The parent of a process that is the shell with which npm runs scripts; empty for any other process. Works on Linux
 * only.
 */
function npmAboveShell(pid) {
  try {
    const [, name, parent] = /^\d+ \((.*)\) \S+ (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return /^(sh|bash|dash|ash)$/.test(name) ? parent : ''
  } catch {
    return ''
  }
}

/** Seconds from a flag of the server or an environment variable. */
function told(flag, variable) {
  const given = process.argv.findIndex((argument) => argument.split('=')[0] === `--${flag}`)
  const value = process.argv[given]?.split('=')[1] ?? process.argv[given + 1]
  return Number(given === -1 ? process.env[variable] : value) || 0
}

function stop(signal) {
  if (stopSignal) return
  stopSignal = signal
  if (children.size === 0) process.exit(exitCode(null, signal))
  for (const child of children) child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal)
  setTimeout(killAll, PATIENCE_MS).unref()
}

process.on('exit', killAll)

function killAll() {
  for (const child of children) {
    try {
      process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL')
    } catch {
      // The process has ended meanwhile.
    }
  }
}

function exitCode(code, signal) {
  return code ?? 128 + constants.signals[signal]
}

/**
 * Runs a command to its end; resolves to its exit code. `heard` receives output that is not inherited. Exits this process if a stop signal came
 * meanwhile.
 */
export function run(command, args, { heard, ...options } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'inherit', detached: process.platform !== 'win32', ...options })
    children.add(child)
    for (const stream of heard ? [child.stdout, child.stderr] : []) stream.on('data', heard)
    child.once('error', (error) => {
      children.delete(child)
      console.error(`${command}: ${error.message}`)
      resolve(127)
    })
    child.once(heard ? 'close' : 'exit', (code, signal) => {
      children.delete(child)
      if (stopSignal && children.size === 0) process.exit(exitCode(code, signal))
      resolve(exitCode(code, signal))
    })
  })
}

/**
 * Runs a long step of the preparation and shows that it goes on. Its own output is written to a log, and shown only if
 * it fails. `start` gets options for `run`. Resolves to an exit code.
 */
export async function runQuietly(name, log, start) {
  const { stdout } = process
  const from = Date.now()
  const output = []
  const elapsed = () => `${Math.round((Date.now() - from) / 1000)} s`
  if (stdout.isTTY) stdout.write(`  … ${name}`)
  else console.log(`${name}…`)
  const ticking = stdout.isTTY && setInterval(() => stdout.write(`\r\x1b[K  … ${name} ${elapsed()}`), 1000)
  const code = await start({ stdio: ['inherit', 'pipe', 'pipe'], heard: (text) => output.push(text) })
  clearInterval(ticking)
  if (stdout.isTTY) stdout.write(`\r\x1b[K  ${code ? '✗' : '✓'} ${name} (${elapsed()})\n`)
  const text = Buffer.concat(output)
  if (code) process.stderr.write(text)
  mkdirSync(dirname(log), { recursive: true })
  writeFileSync(log, text)
  return code
}

/** Runs a script with the pinned Node, which is also the first `node` on the PATH of its children. */
export function runNode(args, options = {}) {
  const PATH = [dirname(innerNode()), process.env.PATH].join(delimiter)
  return run(innerNode(), args, { ...options, env: { ...process.env, ...options.env, PATH } })
}

/**
 * Runs a server script with the server's flags and environment. The closing IPC channel notifies the script when this
 * process has ended, for whatever reason.
 */
export function runServer(script, args) {
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
  return runNode([...serverFlags, script, ...args], { env: serverEnvironment, stdio })
}

const TOOLS = {
  biome: '@biomejs/biome/bin/biome',
  oxlint: 'oxlint/bin/oxlint',
  tsc: 'typescript/bin/tsc',
  vite: 'vite/bin/vite.js',
  vitest: 'vitest/vitest.mjs',
}

/** Arguments for `runNode` that start a tool of the lockfile. */
export function tool(name) {
  return [`node_modules/${TOOLS[name]}`]
}
