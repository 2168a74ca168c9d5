// Child processes of the runner: one place that passes on signals and exit codes.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname } from 'node:path'
import { innerNode } from './platform.mjs'
import { serverEnvironment, serverFlags } from './server-process.mjs'

/** The server promises to stop within 5 s, and what it was told to wait beyond; what has not by then is killed. */
const PATIENCE_MS = 8_000 + 1000 * (told('stop-delay', 'STOP_DELAY') + told('stop-transfers', 'STOP_TRANSFERS'))
const PARENT_CHECK_MS = 250

const children = new Set()
let stopSignal

// A child leads a process group of its own, so that Ctrl+C, which a terminal sends to the whole group and npm once more,
// reaches it exactly once.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal))

// A signal sent to npm alone ends the shell between npm and us, and never reaches us; a killed npm leaves that shell alive.
if (process.env.npm_lifecycle_event) {
  const above = () => `${process.ppid} ${npmAboveShell(process.ppid)}`
  const first = above()
  setInterval(() => above() === first || stop('SIGTERM'), PARENT_CHECK_MS).unref()
}

/** The parent of a process that is the shell npm runs scripts with; empty for any other, and where only Linux can tell. */
function npmAboveShell(pid) {
  try {
    const [, name, parent] = /^\d+ \((.*)\) \S+ (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return /^(sh|bash|dash|ash)$/.test(name) ? parent : ''
  } catch {
    return ''
  }
}

/** Seconds that the server was told by a flag or a variable. */
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
      // It has ended meanwhile.
    }
  }
}

function exitCode(code, signal) {
  return code ?? 128 + constants.signals[signal]
}

/** Runs a command to its end; resolves to its exit code. Leaves the process when a stop signal came meanwhile. */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'inherit', detached: process.platform !== 'win32', ...options })
    children.add(child)
    child.once('error', (error) => {
      children.delete(child)
      console.error(`${command}: ${error.message}`)
      resolve(127)
    })
    child.once('exit', (code, signal) => {
      children.delete(child)
      if (stopSignal && children.size === 0) process.exit(exitCode(code, signal))
      resolve(exitCode(code, signal))
    })
  })
}

/** Runs a script with the inner Node, which its own children find first as `node`. */
export function runNode(args, options = {}) {
  const PATH = [dirname(innerNode()), process.env.PATH].join(delimiter)
  return run(innerNode(), args, { ...options, env: { ...process.env, ...options.env, PATH } })
}

/** Runs a script of the server as it is to be run. The channel between us tells it when we are gone, however that came. */
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
