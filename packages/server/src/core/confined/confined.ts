/*
 * Confined programs: programs that read uploaded content, each in a separate process with minimal privileges. It has
 * limits of time, processors and memory. It has no server environment and no network, cannot write files or start
 * programs, and ends with the server. It receives bytes and returns bytes.
 *
 * | | how | where |
 * |---|---|---|
 * | time, answer | the server ends the process, and everything it has started | everywhere |
 * | objects | heap of V8 | everywhere |
 * | processors, all memory | rlimits, by `ulimit` of a shell | Linux; on macOS processors |
 * | network, writing, programs | permissions of Node, which do not cover native code | everywhere |
 * | network | its own namespace, by `unshare` | Linux, as root or where users may create one |
 * | ends with the server | the shell waits for the end of a pipe | Linux, macOS |
 * | low priority | `renice`, `autogroup`, and under memory pressure `oom_score_adj` | Linux, macOS |
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'

export interface Limits {
  readonly wallMs: number
  /** CPU seconds of all its threads in total. */
  readonly cpuSeconds: number
  /** Megabytes of the JavaScript heap. */
  readonly heapMb: number
  /** Megabytes outside the heap: buffers and native code. */
  readonly otherMb: number
  /** Maximum bytes of the answer, and of each file that it writes. */
  readonly outputBytes: number
}

export interface Confined {
  /** A program of ours, as {@link siblingProgram} finds it. */
  readonly program: string
  readonly args?: readonly string[]
  /**
   * Arguments sent in the first line of the input instead of on the command line. A process that was started in advance
   * can then run them, and the next is started when this one has ended. The process confirms the line with a number on
   * its error channel. The rest of the input is sent only after that, never to a process that died while it waited.
   */
  readonly told?: readonly string[]
  readonly input: Readable
  /** The only folder to which it may write. */
  readonly writes?: string
  /** It may start threads, which have the same limits and permissions. */
  readonly threads?: boolean
  readonly limits: Limits
  readonly signal?: AbortSignal
  /** A user waits for each answer, and such runs are few: it runs at a higher priority than background reading. */
  readonly isAwaited?: boolean
  /**
   * Reads the output while it is written, instead of returning it. The limit of the answer is then the reader's
   * responsibility.
   */
  readonly take?: (chunks: AsyncIterable<Buffer>) => Promise<void>
  /** Called with the last number that the program has written to its error channel, line by line: its progress. */
  readonly progress?: (thousandths: number) => void
}

/** A confined program failed to answer. `code` is the reason. */
export class ConfinedFailure extends Error {
  override name = 'ConfinedFailure'
  readonly code: 'time' | 'output' | 'ended'
  /** It was killed, and not by a limit of its own: it may succeed when it is run again. */
  readonly isKilled: boolean

  constructor(code: ConfinedFailure['code'], message: string, options?: ErrorOptions & { isKilled?: boolean }) {
    super(message, options)
    this.code = code
    this.isKilled = options?.isKilled ?? false
  }
}

/** The path of a program beside a module: its source in a checkout, beside the bundle in a release. */
export function siblingProgram(moduleUrl: string, name: string): string {
  return fileURLToPath(new URL(`./${name}.${moduleUrl.endsWith('.ts') ? 'ts' : 'mjs'}`, moduleUrl))
}

/** Runs the program with the input and returns its output. When this settles, the process has ended. */
export async function runConfined(confined: Confined): Promise<Buffer> {
  const { program, args = [], told, input, limits, signal, progress, take, isAwaited = false } = confined
  signal?.throwIfAborted()
  const command = confining(limits, nodeMb + limits.heapMb, [...nodeCommand(confined), program, ...args], isAwaited)
  const child =
    told === undefined ? begin(command, progress !== undefined) : await useWaiting(command, told, limits.wallMs)
  let failure: Error | undefined
  const end = (reason: Error): void => {
    failure ??= reason
    endGroup(child)
  }
  const late = setTimeout(() => end(new ConfinedFailure('time', 'its time was over')), limits.wallMs)
  const onAbort = (): void =>
    end(new ConfinedFailure('ended', 'nobody waits for it any more', { cause: signal?.reason }))
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted === true) onAbort()
  child.once('error', (error) => {
    failure ??= error
  })
  child.once('exit', () => endGroup(child))
  const [stdin, stdout, stderr, held] = child.stdio as [Writable, Readable, Readable | null, Readable, ...unknown[]]
  held.on('error', () => {})
  stderr?.on('error', () => {})
  stderr?.on('data', (chunk: Buffer) => {
    // A number that is split between two chunks is read with the next one.
    const said = Number(
      chunk
        .toString('latin1', Math.max(0, chunk.length - 20))
        .trim()
        .split('\n')
        .at(-1),
    )
    if (said >= 0 && said <= 1000) progress?.(said)
  })
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  try {
    const [answer] = await Promise.all([
      take === undefined ? answerOf(stdout, limits.outputBytes) : taken(stdout, take),
      pipeline(input, stdin),
      closed,
    ])
    if (child.exitCode !== 0) {
      const isKilled = wasKilled(child.exitCode)
      throw new ConfinedFailure('ended', `it ended with ${child.exitCode ?? child.signalCode}`, { isKilled })
    }
    return answer
  } catch (error) {
    throw failure ?? error
  } finally {
    clearTimeout(late)
    signal?.removeEventListener('abort', onAbort)
    if (child.exitCode === null && child.signalCode === null) endGroup(child)
    await closed
    if (told !== undefined) startAhead(command)
  }
}

/** A shell reports a program that was killed by 128 and the number of the signal, SIGKILL is 9. */
const wasKilled = (exitCode: number | null): boolean => exitCode === null || exitCode === 137

function begin([command, ...args]: Command, hears: boolean): ChildProcess {
  const child = spawn(command, args, {
    // A process that reads uploaded content must not see the server's environment.
    env: {},
    stdio: ['pipe', 'pipe', hears ? 'pipe' : 'ignore', 'pipe'],
    // The leader of a process group, which is killed with everything it has started.
    detached: hasGroups,
  })
  // The code that waits for the process handles this error too. It may be emitted before that.
  child.on('error', () => {})
  return child
}

/** The processes started in advance, one per command. They do not keep the server from ending. */
const ahead = new Map<string, { readonly child: ChildProcess; readonly idle: NodeJS.Timeout }>()
/** An idle process is ended after this time to release its memory. */
const idleMs = 10 * 60_000

const handlesOf = (child: ChildProcess): { ref?: () => void; unref?: () => void }[] => [child, ...child.stdio] as never

function startAhead(command: Command): void {
  const key = command.join('\0')
  if (ahead.has(key)) return
  const child = begin(command, true)
  const forget = (): void => {
    if (ahead.get(key)?.child === child) ahead.delete(key)
  }
  child.once('error', forget)
  child.once('exit', forget)
  for (const end of child.stdio) end?.on('error', () => {})
  const idle = setTimeout(() => {
    forget()
    endGroup(child)
  }, idleMs).unref()
  for (const handle of handlesOf(child)) handle?.unref?.()
  ahead.set(key, { child, idle })
}

/** Gives the arguments to the process that was started in advance, or to a new one if that has ended. */
async function useWaiting(command: Command, told: readonly string[], withinMs: number): Promise<ChildProcess> {
  const { child, waited } = takeAhead(command)
  sendArgs(child, told)
  if (!waited || (await acknowledges(child, withinMs))) return child
  endGroup(child)
  const other = begin(command, true)
  sendArgs(other, told)
  return other
}

function sendArgs(child: ChildProcess, told: readonly string[]): void {
  child.stdin?.on('error', () => {})
  child.stdin?.write(`${JSON.stringify(told)}\n`)
}

/**
 * Whether the process has confirmed its arguments with a number. If it ends instead, its channel ends too, and may
 * contain the shell's reason.
 */
function acknowledges(child: ChildProcess, withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, withinMs, false)
    const end = (heard: boolean): void => {
      clearTimeout(late)
      resolve(heard)
    }
    child.stderr?.on('data', (chunk: Buffer) => {
      if (/^\d/m.test(chunk.toString('latin1'))) end(true)
    })
    child.stderr?.once('close', () => end(false))
    child.once('error', () => end(false))
  })
}

function takeAhead(command: Command): { readonly child: ChildProcess; readonly waited: boolean } {
  const key = command.join('\0')
  const waiting = ahead.get(key)
  ahead.delete(key)
  if (waiting === undefined) return { child: begin(command, true), waited: false }
  const { child, idle } = waiting
  clearTimeout(idle)
  for (const handle of handlesOf(child)) handle?.ref?.()
  return { child, waited: true }
}

async function taken(stdout: Readable, take: NonNullable<Confined['take']>): Promise<Buffer> {
  try {
    await take(stdout)
    return Buffer.alloc(0)
  } finally {
    // The process counts as ended when its channels have closed. A channel with unread data never closes.
    stdout.destroy()
  }
}

async function answerOf(stdout: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stdout) {
    chunks.push(chunk)
    length += chunk.length
    if (length > most) throw new ConfinedFailure('output', `it answered more than ${most} bytes`)
  }
  return Buffer.concat(chunks)
}

const hasGroups = process.platform !== 'win32'

function endGroup(child: ChildProcess): void {
  try {
    if (hasGroups && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    else child.kill('SIGKILL')
  } catch {
    // The process has already ended.
  }
}

/**
 * Megabytes that Node reserves for itself as writable, nearly all of it for generated code that never exists. A thread
 * reserves as much again.
 */
const nodeMb = 640

/**
 * The shell that sets the limits keeps running. Beside the program it waits for the end of a pipe to the server, and
 * then kills all of them, however busy the program is.
 */
const supervise = `(read -r _ <&3; kill -9 0) </dev/null >/dev/null 2>&1 & watch=$!
"$0" "$@" 3<&-; code=$?
kill -9 $watch; wait $watch; exit $code`

function nodeCommand({ writes, limits, threads = false }: Confined): readonly string[] {
  return [
    process.execPath,
    `--max-old-space-size=${limits.heapMb}`,
    ...['--permission', '--allow-fs-read=*', '--allow-addons'],
    ...(threads ? ['--allow-worker', '--disable-warning=SecurityWarning'] : []),
    ...(writes === undefined ? [] : [`--allow-fs-write=${join(writes, '*')}`]),
  ]
}

type Command = [command: string, ...args: string[]]

/** A command within limits. `ownMb` is the memory it needs beside what the limits state. */
function confining(
  limits: Omit<Limits, 'heapMb' | 'wallMs'>,
  ownMb: number,
  command: readonly string[],
  isAwaited = false,
): Command {
  const { cpuSeconds, otherMb, outputBytes } = limits
  if (!hasGroups) return [...command] as Command
  // Limits that the system does not support are left out.
  const set = [
    'ulimit -c 0',
    `ulimit -t ${cpuSeconds}`,
    `ulimit -f ${Math.ceil(outputBytes / 512)}`,
    `ulimit -d ${(ownMb + otherMb) * 1024}`,
    'echo 1000 >/proc/self/oom_score_adj',
    // The server has priority if there are too few processors.
    `renice -n ${isAwaited ? 5 : 15} -p $$ >/dev/null`,
    // Where Linux groups processes by session, it shares the processors between the sessions first, and each of these
    // is one of its own.
    'echo 5 >/proc/self/autogroup',
  ].map((one) => `{ ${one}; } 2>/dev/null`)
  return ['/bin/sh', '-c', [...set, supervise].join('\n'), ...withoutNetwork(), ...command]
}

/** A third-party program that runs until it ends or is ended. */
export interface Running {
  /** Resolves when the program and everything it has started have ended: whether it was killed. */
  readonly ended: Promise<{ readonly isKilled: boolean }>
  end(): void
}

/**
 * Starts a third-party program within limits, without a network and ending with the server, like {@link runConfined}.
 * Its file access is not restricted, because Node's permissions do not apply to it. The caller watches its time.
 */
export function startConfined(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  limits: Pick<Limits, 'cpuSeconds' | 'otherMb' | 'outputBytes'>,
): Running {
  const [program, ...args] = confining(limits, 0, command)
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'ignore', 'pipe'], detached: hasGroups })
  child.stdio[3]?.on('error', () => {})
  child.once('exit', () => endGroup(child))
  const ended = new Promise<{ isKilled: boolean }>((resolve) => {
    child.once('close', (code) => resolve({ isKilled: wasKilled(code) }))
    child.once('error', () => resolve({ isKilled: false }))
  })
  return { ended, end: () => endGroup(child) }
}

let unsharing: readonly string[] | undefined

/** Puts a program into an empty network namespace, if that is permitted. Probed once. */
function withoutNetwork(): readonly string[] {
  unsharing ??=
    ['/usr/bin/unshare', '/bin/unshare']
      .filter((path) => existsSync(path))
      .flatMap((path) => [
        [path, '--net', '--'],
        [path, '--map-root-user', '--net', '--'],
      ])
      .find(
        ([command = '', ...args]) => spawnSync(command, [...args, '/bin/true'], { stdio: 'ignore' }).status === 0,
      ) ?? []
  return unsharing
}
