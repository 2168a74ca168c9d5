/*
 * The desktop control program, which opens files in local applications ([R360], [R362]). It is contacted only if the
 * installation enables it (`local_edit`) on this kind of computer, and local editing is offered only while it answers.
 */
import {
  controlAddress,
  controlWaitMs,
  controlWordKey,
  isMachineAddress,
  machineAddressCookie,
  machineAddressHeader,
} from '@cloudoc/domain'
import { setMachineHeader } from '../../core/call/api.ts'
import { sessionStore } from '../../core/session/session.ts'
import { store, stored } from '../../core/storage/storage.ts'

/** How long the result of a request is valid. */
const freshMs = 30_000

/** The systems of which a control program exists; of macOS only where the company says so (mac_editor, [R147]). */
const systems = /\bwin|linux/i
const macSystem = /^mac/i

/** Whether the operating system of this device is one of a control program, if the installation enables it at all ([R185]). */
export function isSystemSupported(): boolean {
  // Android calls itself Linux too. The field is deprecated, but every browser has it.
  const { platform, userAgent } = navigator
  if (/android/i.test(userAgent)) return false
  return systems.test(platform) || (macSystem.test(platform) && settingOf('mac_editor'))
}

const settingOf = (name: 'local_edit' | 'mac_editor'): boolean =>
  sessionStore.getState().session?.setting[name] === true

const isWanted = (): boolean => settingOf('local_edit') && isSystemSupported()

let version: string | undefined
let askedAt = Number.NEGATIVE_INFINITY

/** Contacts the control program; returns its version, or undefined if it does not answer. */
export async function queryControlProgram(): Promise<string | undefined> {
  if (!isWanted()) return undefined
  askedAt = performance.now()
  version = await versionOf(controlAddress)
  return version
}

/** Contacts it at startup, so that the first menu knows the result. Returns a function that resets the result. */
export function watchControlProgram(): () => void {
  void queryControlProgram()
  return () => {
    version = undefined
    askedAt = Number.NEGATIVE_INFINITY
  }
}

/** Whether it has answered. A result older than `freshMs` is requested again. */
export function isControlProgramRunning(): boolean {
  if (!isWanted()) return false
  if (performance.now() - askedAt > freshMs) void queryControlProgram()
  return version !== undefined
}

function versionOf(address: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = new WebSocket(address)
    let found: string | undefined
    const end = (): void => {
      clearTimeout(timer)
      resolve(found)
      socket.close()
    }
    const timer = setTimeout(end, controlWaitMs)
    socket.onopen = () => socket.send(JSON.stringify({ option: 'connect' }))
    socket.onerror = () => end()
    socket.onclose = () => end()
    socket.onmessage = ({ data }) => {
      if (found !== undefined) {
        const mac = reported(data, 'get_mac', 'mac') ?? ''
        setMachineAddress(isMachineAddress(mac) ? mac : undefined)
        return end()
      }
      found = reported(data, 'connect', 'version')
      if (found === undefined) return end()
      resolve(found)
      // Answered to pages that the program has met ([R360], [R363]).
      socket.send(JSON.stringify({ option: 'get_mac' }))
    }
  })
}

/**
 * Sets the machine address that the program told ([R363]); undefined if there is none. Calls have it in a header, all
 * other requests of the page (pictures, contents, the push channel) in a cookie that ends with the browser.
 */
export function setMachineAddress(address: string | undefined): void {
  setMachineHeader(address === undefined ? {} : { [machineAddressHeader]: address })
  const value = address === undefined ? '=; Max-Age=-1' : `=${address}`
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  document.cookie = `${machineAddressCookie}${value}; Path=/; SameSite=Strict${secure}`
}

/** A text in an answer of the program. */
function reported(data: unknown, option: 'connect' | 'get_mac', field: 'version' | 'mac'): string | undefined {
  try {
    const told = JSON.parse(String(data)) as Readonly<Record<string, unknown>> | null
    const value = told?.['option'] === option ? told[field] : undefined
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

/** The random word by which the program recognizes this browser ([R361]); made once. It is no session token. */
export function pageWord(): string {
  const known = stored(controlWordKey)
  if (known !== undefined) return known
  const word = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
  store(controlWordKey, word)
  return word
}
