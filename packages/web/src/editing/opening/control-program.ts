/*
 * The control program on this machine, which opens files in the programs of the machine ([R360], [R362]). It is asked only
 * where the installation wants it (`local_edit`), and files are offered to it while it answers.
 */
import { controlAddress } from '@cloudoc/domain'
import { sessionStore } from '../../core/session/session.ts'

/** How long it may take to answer, and how long an answer counts. */
const waitMs = 2000
const freshMs = 30_000

let version: string | undefined
let askedAt = Number.NEGATIVE_INFINITY

/** Asks it now; its version, or nothing where none answers. */
export async function queryControlProgram(): Promise<string | undefined> {
  if (sessionStore.getState().session?.setting.local_edit !== true) return undefined
  askedAt = performance.now()
  version = await versionOf(controlAddress)
  return version
}

/** Asks it behind the first screen, so that the first menu knows; answers how to forget it. */
export function watchControlProgram(): () => void {
  void queryControlProgram()
  return () => {
    version = undefined
    askedAt = Number.NEGATIVE_INFINITY
  }
}

/** Whether it has answered of late; what is known is asked anew after a while. */
export function isControlProgramRunning(): boolean {
  if (sessionStore.getState().session?.setting.local_edit !== true) return false
  if (performance.now() - askedAt > freshMs) void queryControlProgram()
  return version !== undefined
}

function versionOf(address: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = new WebSocket(address)
    const end = (told?: string): void => {
      clearTimeout(timer)
      resolve(told)
      socket.close()
    }
    const timer = setTimeout(end, waitMs)
    socket.onopen = () => socket.send(JSON.stringify({ option: 'connect' }))
    socket.onerror = () => end()
    socket.onclose = () => end()
    socket.onmessage = ({ data }) => end(reportedVersion(data))
  })
}

function reportedVersion(data: unknown): string | undefined {
  try {
    const told = JSON.parse(String(data)) as { option?: unknown; version?: unknown } | null
    return told?.option === 'connect' && typeof told.version === 'string' ? told.version : undefined
  } catch {
    return undefined
  }
}
