/*
 * Programs that read what people uploaded, each in a process of its own that can do as little as possible: within limits
 * of time, processors and memory, without the server's environment, without a network, without files to write or programs
 * to start, and gone with the server. It is given bytes and answers bytes.
 *
 * | | how | where |
 * |---|---|---|
 * | time, answer | the server ends the process, and whatever it has started | everywhere |
 * | objects | heap of V8 | everywhere |
 * | processors, all memory | rlimits, by `ulimit` of a shell | Linux; on macOS processors |
 * | network, writing, programs | permissions of Node; what native code does they do not see | everywhere |
 * | network | a namespace of its own, by `unshare` | Linux, as root or where users may make one |
 * | ends with the server | the shell waits for the end of a pipe | Linux, macOS |
 * | gives way | `renice`, and where memory runs out `oom_score_adj` | Linux, macOS |
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'

export interface Limits {
  readonly wallMs: number
  /** Seconds of processors, of all its threads together. */
  readonly cpuSeconds: number
  /** Megabytes of objects. */
  readonly heapMb: number
  /** Megabytes beside them: buffers, and what native code takes. */
  readonly otherMb: number
  /** Bytes of the answer, and of each file that it writes. */
  readonly outputBytes: number
}

export interface Confined {
  /** A program of ours, as {@link siblingProgram} finds it. */
  readonly program: string
  readonly args?: readonly string[]
  /**
   * Told it in a first line of its input, instead of by arguments: so one does it that has been started before, and the next
   * is started when this one has ended. It says a number on its error channel when it has heard that line: what follows is
   * given to none that has died while it waited.
   */
  readonly told?: readonly string[]
  readonly input: Readable
  /** The only folder in which it may write. */
  readonly writes?: string
  readonly limits: Limits
  readonly signal?: AbortSignal
  /** Somebody waits for each answer, and there are few: it gives way less than what is read beside everything else. */
  readonly isAwaited?: boolean
  /** Reads what it writes while it writes, instead of its being answered; the limit of the answer is then its own. */
  readonly take?: (chunks: AsyncIterable<Buffer>) => Promise<void>
  /** Hears the last number of what the program writes to its error channel, line by line: how far it is. */
  readonly progress?: (thousandths: number) => void
}

/** A confined program did not answer as it should; `code` says why. */
export class ConfinedFailure extends Error {
  override name = 'ConfinedFailure'
  readonly code: 'time' | 'output' | 'ended'

  constructor(code: ConfinedFailure['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** A program that lies beside a module: as its source in a checkout, beside the bundle in a release. */
export function siblingProgram(moduleUrl: string, name: string): string {
  return fileURLToPath(new URL(`./${name}.${moduleUrl.endsWith('.ts') ? 'ts' : 'mjs'}`, moduleUrl))
}

/** Gives the input to the program and answers what it writes; when this settles, the process has ended. */
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
    // What was cut in two is heard with what follows.
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
      throw new ConfinedFailure('ended', `it ended with ${child.exitCode ?? child.signalCode}`)
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

function begin([command, ...args]: Command, hears: boolean): ChildProcess {
  const child = spawn(command, args, {
    // What is in the server's environment is no business of who reads what people uploaded.
    env: {},
    stdio: ['pipe', 'pipe', hears ? 'pipe' : 'ignore', 'pipe'],
    // The leader of a group, which is ended with everything that it has started.
    detached: hasGroups,
  })
  // Who waits for it hears of this too; it may come before that.
  child.on('error', () => {})
  return child
}

/** Those that wait for something to read, one for each command. They keep nothing from ending. */
const ahead = new Map<string, { readonly child: ChildProcess; readonly idle: NodeJS.Timeout }>()
/** Nobody has asked for so long: one that waits gives its memory back. */
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

/** One that knows what to do: the one that waits, or another where that is gone. */
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

/** Whether it has heard what it is told: it says a number. What is gone ends its channel, in which its shell may say why. */
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
    // The process counts as ended when its channels are: one with something left in it never is.
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
    // It has ended.
  }
}

/**
 * Megabytes that may be written and that Node takes for itself, nearly all of it for code that it never makes. A thread
 * takes as much again.
 */
const nodeMb = 640

/**
 * The shell that sets the limits stays: beside the program it waits for the end of a pipe to the server, and then ends all
 * of them, however busy the program is.
 */
const supervise = `(read -r _ <&3; kill -9 0) </dev/null >/dev/null 2>&1 & watch=$!
"$0" "$@" 3<&-; code=$?
kill -9 $watch; wait $watch; exit $code`

function nodeCommand({ writes, limits }: Confined): readonly string[] {
  return [
    process.execPath,
    `--max-old-space-size=${limits.heapMb}`,
    ...['--permission', '--allow-fs-read=*', '--allow-addons'],
    ...(writes === undefined ? [] : [`--allow-fs-write=${join(writes, '*')}`]),
  ]
}

type Command = [command: string, ...args: string[]]

/** A command within limits; `ownMb` is what it needs of memory beside what the limits say. */
function confining(
  limits: Omit<Limits, 'heapMb' | 'wallMs'>,
  ownMb: number,
  command: readonly string[],
  isAwaited = false,
): Command {
  const { cpuSeconds, otherMb, outputBytes } = limits
  if (!hasGroups) return [...command] as Command
  // What a system does not know is left out.
  const set = [
    'ulimit -c 0',
    `ulimit -t ${cpuSeconds}`,
    `ulimit -f ${Math.ceil(outputBytes / 512)}`,
    `ulimit -d ${(ownMb + otherMb) * 1024}`,
    'echo 1000 >/proc/self/oom_score_adj',
    // The server comes first where there are too few processors.
    `renice -n ${isAwaited ? 5 : 15} -p $$ >/dev/null`,
  ].map((one) => `{ ${one}; } 2>/dev/null`)
  return ['/bin/sh', '-c', [...set, supervise].join('\n'), ...withoutNetwork(), ...command]
}

/** A program of others that runs until it ends by itself or is ended. */
export interface Running {
  /** Resolves when it has ended, and whatever it has started. */
  readonly ended: Promise<void>
  end(): void
}

/**
 * Starts a program of others within limits, without a network and gone with the server, as {@link runConfined} does. What it
 * reads and writes is not bound, as Node's permissions do not reach it; its time is for the caller to watch.
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
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
    child.once('error', () => resolve())
  })
  return { ended, end: () => endGroup(child) }
}

let unsharing: readonly string[] | undefined

/** Puts a program into a network namespace in which there is nothing, where that is allowed; asked once. */
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
